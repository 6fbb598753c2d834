import icon from '../icon.svg';
import iconWaiting from '../icon-waiting.svg';

/** Marks the tab icon, and that of an installed application, while sessions wait for the user. */
export function showBadge(waiting: number): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  const href = waiting > 0 ? iconWaiting : icon;
  if (link && link.getAttribute('href') !== href) link.href = href;
  // Only browsers with installable pages support it, and they may refuse.
  const changed = waiting > 0 ? navigator.setAppBadge?.(waiting) : navigator.clearAppBadge?.();
  changed?.catch(() => undefined);
}
