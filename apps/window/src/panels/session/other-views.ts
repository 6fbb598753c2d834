const OTHER_VIEWS = [
  'files',
  'changes',
  'git',
  'terminal',
  'page',
  'workflows',
  'library',
  'research',
  'extensions',
] as const;
export type OtherView = (typeof OTHER_VIEWS)[number];
export const isOtherView = (view: string | undefined): view is OtherView => OTHER_VIEWS.some((name) => name === view);
