/** The desktop application. */
export const EN_APP = {
  'help.man': 'print the man page',
  'help.app': 'open Fucina as an application, with a folder (`fucina .`) or a fucina:// link',
  'help.app-foreground': 'run until the window is closed, with the log on standard error',
  'help.app-login': 'also open it at login',
  'app.bad-link': 'This is not a link of Fucina: {link}',
  'app.no-folder': 'There is no such folder: {path}',
  'app.no-display': 'There is no display. `fucina serve` runs the server for a browser on another computer.',
  'app.no-browser':
    'The application needs Chrome, Edge or Chromium (`sudo apt install chromium`). `fucina open` opens the window in any other browser.',
  'app.browser-off': 'FUCINA_BROWSER turns the browser off, or does not name a program.',
  'app.program-missing':
    'The window did not open: `{program}` could not be started. The file, or the interpreter it names, was not found (ENOENT).',
  'app.program-denied': 'The window did not open: `{program}` could not be started. Permission denied (EACCES).',
  'app.not-started': 'The window did not open: `{program}` could not be started ({code}).',
  'app.ended': 'The window did not open: `{program}` ended ({end}).',
  'app.no-window': 'The window did not open: `{program}` showed none.',
  'app.login-on': 'Fucina opens at login ({path}).',
  'app.login-off': 'Fucina no longer opens at login.',
} as const;
