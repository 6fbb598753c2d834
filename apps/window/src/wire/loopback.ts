const NAMES = /^(?:localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1?\]|\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\])$/;

/** Whether a host name, as `URL` writes it, always means this computer. */
export function isLoopbackName(hostname: string): boolean {
  return NAMES.test(hostname);
}
