/** What is known of changes that are not recorded. */
export interface Unrecorded {
  /** Changed files above the limit. */
  omitted: number;
  /** There may be more changes: not all files of the folder are watched. */
  isPartial: boolean;
  /** Files that changed meanwhile, perhaps by someone else: they are not recorded as changes of this command. */
  contested: readonly string[];
}
