import {
  AppWindow,
  ArrowDownToLine,
  Bell,
  BookOpen,
  Bot,
  Box,
  Brain,
  CalendarClock,
  ChartColumn,
  CircleHelp,
  FileDiff,
  Folder,
  FolderGit2,
  GitBranch,
  Inbox,
  Info,
  Keyboard,
  KeyRound,
  Languages,
  LayoutList,
  Library,
  ListTodo,
  type LucideIcon,
  MessageSquare,
  MessageSquareText,
  MoonStar,
  NotebookPen,
  PackageSearch,
  Palette,
  PanelLeft,
  PanelRight,
  Plug,
  Plus,
  Puzzle,
  Search,
  ShieldCheck,
  SquareTerminal,
  Stethoscope,
  Telescope,
  Workflow,
} from 'lucide-react';
import { useLocation, useNavigate } from 'react-router';
import { setScheme, useAppearance } from '../styles/appearance.ts';
import { setLanguage, useWords, type WordKey } from '../words/words.ts';
import { toggleColumn } from './layout.ts';
import { openOverlay } from './overlay-state.ts';
import type { Action } from './palette-action.ts';
import { useSessionCommands } from './session-commands.ts';
import { goToMessage } from './shortcuts.ts';

type Place = readonly [path: string, icon: LucideIcon, name: WordKey];

/** The views of the session on screen; paths are relative to its own. */
const VIEWS: readonly Place[] = [
  ['', MessageSquare, 'session.conversation'],
  ['/files', Folder, 'session.files'],
  ['/changes', FileDiff, 'session.changes'],
  ['/git', GitBranch, 'session.git'],
  ['/terminal', SquareTerminal, 'session.terminal'],
  ['/page', AppWindow, 'session.page'],
  ['/workflows', Workflow, 'session.workflows'],
  ['/library', Library, 'session.library'],
  ['/research', Telescope, 'session.research'],
  ['/extensions', Puzzle, 'session.extensions'],
];

const PAGES: readonly Place[] = [
  ['/inbox', Inbox, 'sidebar.inbox'],
  ['/board', LayoutList, 'board.title'],
  ['/automations', CalendarClock, 'sidebar.automations'],
  ['/records/notes', NotebookPen, 'records.notes'],
  ['/records/tasks', ListTodo, 'records.tasks'],
  ['/records/memory', Brain, 'records.memory'],
  ['/worktrees', FolderGit2, 'worktrees.title'],
  ['/local-models', Box, 'sidebar.localModels'],
  ['/local-models/hub', PackageSearch, 'localModel.hub'],
  ['/local-models/downloads', ArrowDownToLine, 'localModel.downloads'],
  ['/api-docs', BookOpen, 'api.title'],
];

const SETTINGS: readonly Place[] = [
  ['/providers', KeyRound, 'settings.providers'],
  ['/search', Search, 'settings.search'],
  ['/agent', Bot, 'settings.agent'],
  ['/appearance', Palette, 'settings.appearance'],
  ['/notifications', Bell, 'settings.notifications'],
  ['/sandbox', ShieldCheck, 'settings.sandbox'],
  ['/mcp', Plug, 'settings.mcp'],
  ['/usage', ChartColumn, 'settings.usage'],
  ['/doctor', Stethoscope, 'settings.doctor'],
  ['/about', Info, 'settings.about'],
];

/** All available commands and pages, in display order. */
export function useActions(): Action[] {
  const { say, language } = useWords();
  const { mode } = useAppearance();
  const navigate = useNavigate();
  const [, place, sessionId] = useLocation().pathname.split('/');
  const leadTo = (places: readonly Place[], base = '', group?: WordKey): Action[] =>
    places.map(([path, icon, name]) => ({
      id: base + path,
      icon,
      name: group ? `${say(group)} · ${say(name)}` : say(name),
      act: () => void navigate(base + path),
    }));
  const commands = useSessionCommands(place === 'sessions' ? sessionId : undefined);
  const isInSession = place === 'sessions' && sessionId !== undefined && sessionId !== '';
  return [
    ...(isInSession ? leadTo(VIEWS, `/sessions/${sessionId}`) : []),
    ...commands,
    { id: 'new', icon: Plus, name: say('session.new'), act: () => void navigate('/') },
    ...leadTo(PAGES),
    ...leadTo(SETTINGS, '/settings', 'settings.title'),
    { id: 'message', icon: MessageSquareText, name: say('shortcut.message'), act: () => goToMessage(navigate) },
    { id: 'sidebar', icon: PanelLeft, name: say('shortcut.sidebar'), act: () => toggleColumn('left') },
    ...(isInSession
      ? [{ id: 'details', icon: PanelRight, name: say('shortcut.inspector'), act: () => toggleColumn('right') }]
      : []),
    {
      id: 'scheme',
      icon: MoonStar,
      name: say(mode === 'dark' ? 'palette.light' : 'palette.dark'),
      act: () => setScheme(mode === 'dark' ? 'light' : 'dark'),
    },
    {
      id: 'language',
      icon: Languages,
      name: say('palette.language'),
      act: () => setLanguage(language === 'it' ? 'en' : 'it'),
    },
    { id: 'help', icon: CircleHelp, name: say('help.title'), act: () => openOverlay({ kind: 'help' }) },
    { id: 'keys', icon: Keyboard, name: say('shortcut.title'), act: () => openOverlay({ kind: 'shortcuts' }) },
  ];
}
