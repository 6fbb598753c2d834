import { useQuery } from '@tanstack/react-query';
import {
  AppWindow,
  BookOpen,
  Box,
  CalendarClock,
  GitBranch,
  Keyboard,
  Languages,
  Library,
  type LucideIcon,
  MoonStar,
  NotebookPen,
  Palette as PaletteIcon,
  Plus,
  Puzzle,
  Settings,
  SquareTerminal,
  Stethoscope,
  Telescope,
  Workflow,
} from 'lucide-react';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { setScheme, useLook } from '../look/look.ts';
import { SessionMark } from '../parts/session-mark.tsx';
import { stateOf } from '../session/session-state.ts';
import { sessionsQuery } from '../wire/queries.ts';
import { setLanguage, useWords } from '../words/words.ts';
import { closeOverlay, openOverlay } from './overlay-state.ts';
import { PickDialog } from './pick-dialog.tsx';
import { matches, type PickEntry } from './pick-list.tsx';

const MOST_SESSIONS = 40;

interface Action {
  id: string;
  icon: LucideIcon;
  name: string;
  act: () => void;
}

function useActions(): Action[] {
  const { say, language } = useWords();
  const { mode } = useLook();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const go = (to: string) => () => void navigate(to);
  const actions: Action[] = [
    { id: 'new', icon: Plus, name: say('session.new'), act: go('/') },
    { id: 'automations', icon: CalendarClock, name: say('sidebar.automations'), act: go('/automations') },
    { id: 'local-models', icon: Box, name: say('sidebar.localModels'), act: go('/local-models') },
    { id: 'kept', icon: NotebookPen, name: say('sidebar.kept'), act: go('/kept') },
    { id: 'settings', icon: Settings, name: say('settings.providers'), act: go('/settings/providers') },
    { id: 'look', icon: PaletteIcon, name: say('settings.appearance'), act: go('/settings/appearance') },
    { id: 'doctor', icon: Stethoscope, name: say('settings.doctor'), act: go('/settings/doctor') },
    { id: 'api', icon: BookOpen, name: say('api.title'), act: go('/api-docs') },
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
  ];
  const [, place, sessionId] = pathname.split('/');
  if (place === 'sessions' && sessionId) {
    actions.unshift({ id: 'git', icon: GitBranch, name: say('session.git'), act: go(`/sessions/${sessionId}/git`) });
    const view = (
      name: 'terminal' | 'page' | 'workflows' | 'library' | 'research' | 'extensions',
      icon: LucideIcon,
    ): Action => ({
      id: name,
      icon,
      name: say(`session.${name}`),
      act: go(`/sessions/${sessionId}/${name}`),
    });
    actions.unshift(
      view('terminal', SquareTerminal),
      view('page', AppWindow),
      view('workflows', Workflow),
      view('library', Library),
      view('research', Telescope),
      view('extensions', Puzzle),
    );
    actions.unshift({
      id: 'session',
      icon: Settings,
      name: say('session.settings'),
      act: () => openOverlay({ kind: 'sessionSettings', sessionId }),
    });
  }
  return actions;
}

export function Palette() {
  const { say } = useWords();
  const [search, setSearch] = useState('');
  const sessions = useQuery(sessionsQuery);
  const navigate = useNavigate();
  const actions = useActions();
  const entries: PickEntry[] = [];
  const rows = (sessions.data ?? []).filter((row) => matches(`${row.nome ?? ''} ${row.progetto ?? ''}`, search));
  for (const row of rows.slice(0, MOST_SESSIONS)) {
    entries.push({
      id: row.sessionId,
      group: say('palette.sessions'),
      node: (
        <>
          <SessionMark state={stateOf(row)} />
          <span className="pick-name">{row.nome ?? say('session.untitled')}</span>
          <span className="muted small">{row.progetto}</span>
        </>
      ),
      pick: () => {
        closeOverlay();
        void navigate(`/sessions/${row.sessionId}`);
      },
    });
  }
  const shown: Action[] = [
    ...actions,
    { id: 'keys', icon: Keyboard, name: say('shortcut.title'), act: () => openOverlay({ kind: 'shortcuts' }) },
  ].filter((action) => matches(action.name, search));
  const actionEntries = shown.map(
    ({ id, icon: Icon, name, act }): PickEntry => ({
      id,
      group: say('palette.actions'),
      node: (
        <>
          <Icon size={14} aria-hidden />
          <span className="pick-name">{name}</span>
        </>
      ),
      pick: () => {
        closeOverlay();
        act();
      },
    }),
  );
  // Without a search the few things to do come before the many sessions.
  const ordered = search ? [...entries, ...actionEntries] : [...actionEntries, ...entries];
  return (
    <PickDialog
      size={560}
      label={say('shortcut.palette')}
      placeholder={say('palette.placeholder')}
      search={search}
      setSearch={setSearch}
      entries={ordered}
      none={say('palette.none')}
    />
  );
}
