import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ProjectSelect } from '../../parts/project-select.tsx';
import { frequentQuery } from '../../wire/folders.ts';
import { mcpServersQuery } from '../../wire/mcp-servers.ts';
import { McpServers } from './mcp-servers.tsx';

/** Settings → MCP servers: those of every project, or of one. */
export function McpSettings() {
  const [folder, setFolder] = useState<string>();
  const all = useQuery(mcpServersQuery({}));
  const frequent = useQuery(frequentQuery);
  const named = [
    ...(all.data?.servers ?? []).flatMap(({ folder }) => folder ?? []),
    ...(frequent.data ?? []).flatMap(({ path }) => path ?? []),
  ];
  const folders = [...new Set(named)].sort((one, other) => one.localeCompare(other));
  return (
    <div className="form mcp-settings">
      <ProjectSelect folders={folders} value={folder} choose={setFolder} />
      <McpServers key={folder ?? ''} place={{ folder: folder }} />
    </div>
  );
}
