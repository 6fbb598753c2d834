import type { ClientCapabilities } from 'vscode-languageserver-protocol/node';

/** What this client understands. Edits of several files come as `documentChanges` or `changes`, never as file renames. */
export const CLIENT_CAPABILITIES: ClientCapabilities = {
  general: { positionEncodings: ['utf-16'] },
  workspace: {
    configuration: true,
    workspaceFolders: true,
    workspaceEdit: { documentChanges: true },
    didChangeWatchedFiles: { dynamicRegistration: true },
    symbol: {},
  },
  textDocument: {
    synchronization: {},
    publishDiagnostics: { versionSupport: true },
    diagnostic: {},
    definition: { linkSupport: false },
    references: {},
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    hover: { contentFormat: ['plaintext', 'markdown'] },
    rename: { prepareSupport: false },
    codeAction: {
      codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix', 'refactor', 'source'] } },
      resolveSupport: { properties: ['edit'] },
      dataSupport: true,
    },
  },
  window: { workDoneProgress: true },
};
