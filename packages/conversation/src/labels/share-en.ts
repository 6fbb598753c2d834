/** Labels of a shared conversation, in English. */
export const SHARE_EN = {
  'share.user': 'User',
  'share.agent': 'Agent',
  'share.reasoning': 'Reasoning',
  'share.output': 'Output',
  'share.failed': 'failed',
  'share.too-large': 'Too large to show.',
  'share.end.stopped': 'Stopped',
  'share.end.exhausted': 'Stopped at the limit of model calls',
  'share.end.interrupted': 'Interrupted',
  'share.end.failed': 'Failed',
  'share.secret.private-key': 'private key removed',
  'share.secret.token': 'token removed',
  'share.secret.password': 'password removed',
  'share.secret.address': 'credentials removed',
} as const;
