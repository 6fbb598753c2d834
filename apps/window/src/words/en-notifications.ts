/** The words of the inbox and of notifications. */
export const enNotifications = {
  'inbox.title': 'Inbox',
  'inbox.none': 'Nothing is waiting for you',
  'inbox.none.why':
    'Approvals, questions and plans of all sessions appear here. You can answer them without opening the session.',
  'notify.approval': 'Waiting for your approval',
  'notify.question': 'Has a question for you',
  'notify.plan': 'Plan ready for review',
  'notify.finished': 'Finished',
  'notify.failed': 'Failed',
  'notify.on': 'Show notifications',
  'notify.on.why': 'When the window is in the background, of sessions you have not muted.',
  'notify.blocked':
    'Your browser blocks notifications from this page. Allow them in its site settings, then try again.',
  'notify.unsupported': 'This browser shows no notifications for this address. Open Fucina at 127.0.0.1 or localhost.',
  'notify.kinds': 'Notify me when a session',
  'notify.kind.waiting': 'waits for me',
  'notify.kind.finished': 'finishes',
  'notify.kind.failed': 'fails',
  'notify.sound': 'Play a sound',
  'notify.quiet': 'Quiet hours',
  'notify.quiet.why': 'No notifications between these times.',
  'notify.from': 'From',
  'notify.to': 'To',
  'notify.test': 'Send a test notification',
  'notify.test.title': 'Fucina',
  'notify.test.body': 'Notifications work.',
} as const;
