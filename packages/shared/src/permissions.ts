/** The four levels a user chooses, spelled as on the wire; `Research` is internal to research sessions. */
export const PERMISSION_LEVELS = ['Read only', 'Workspace write', 'On request', 'Full access'] as const;
export type PermissionLevel = (typeof PERMISSION_LEVELS)[number] | 'Research';
export type SelectablePermissionLevel = (typeof PERMISSION_LEVELS)[number];

/** Tools with their own permission setting. */
export const GATED_TOOLS = ['scrivi', 'file_edit', 'prova', 'shell', 'document_create', 'generate_image'] as const;
export type GatedTool = (typeof GATED_TOOLS)[number];

/** `sempre`, `chiedi`, `nega` on the wire. */
export type ToolPermission = 'always' | 'ask' | 'deny';
export type ToolPermissions = Partial<Record<GatedTool, ToolPermission>>;

/** The effect of a permission rule on a call. */
export type RuleVerdict = 'allow' | 'ask' | 'deny';

export type OperatingMode = 'normal' | 'plan';
