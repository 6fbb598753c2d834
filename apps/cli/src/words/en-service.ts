/** The service. */
export const EN_SERVICE = {
  'help.service': 'run the server in the background, also while no window is open',
  'help.service-install': 'install and start it, now and at each login (systemd user unit, launchd agent)',
  'help.service-uninstall': 'stop and remove it; the data stays',
  'help.service-status': 'show whether it runs and where it answers',
  'help.service-log': 'show the last lines of its log',
  'help.service-follow': 'follow the log',
  'help.service-start': 'start it',
  'help.service-stop': 'stop it until the next login',
  'service.installed': 'The service runs, now and at each login ({path}).',
  'service.logout': 'It stops when you log out. To keep it running: loginctl enable-linger',
  'service.written': 'The service is described in {path} but was not started.',
  'service.removed': 'The service is removed. The data stays.',
  'service.none': 'The service is not installed. Install it with: fucina service install',
  'service.temporary':
    'Fucina runs from {path}, which will be deleted. Install it first (npm install --global), then run the command again.',
  'service.no-manager': 'Services need systemd or launchd.',
  'service.failed': 'Failed: {command}',
  'service.state': 'Service: {state}',
  'service.answers': 'Server: {url}',
  'service.silent': 'Server: not running',
} as const;
