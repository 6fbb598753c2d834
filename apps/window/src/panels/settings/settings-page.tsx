import '../../styles/forms.css';
import '../../styles/settings.css';
import { NavLink, useParams } from 'react-router';
import { lazyPart, Waiting } from '../../parts/lazy-part.tsx';
import { Loading } from '../../parts/states.tsx';
import { useWords } from '../../words/words.ts';
import { Appearance } from './appearance.tsx';

const Providers = lazyPart(async () => (await import('./providers.tsx')).Providers);
const SearchSources = lazyPart(async () => (await import('./search-source.tsx')).SearchSources);
const ExternalAgent = lazyPart(async () => (await import('./external-agent.tsx')).ExternalAgent);
const NotificationsSettings = lazyPart(
  async () => (await import('./notifications-settings.tsx')).NotificationsSettings,
);
const SandboxSettings = lazyPart(async () => (await import('./sandbox/sandbox.tsx')).SandboxSettings);
const McpSettings = lazyPart(async () => (await import('../mcp/mcp-settings.tsx')).McpSettings);
const UsageSettings = lazyPart(async () => (await import('../usage/usage-page.tsx')).UsageSettings);
const Backups = lazyPart(async () => (await import('./backups.tsx')).Backups);
const Doctor = lazyPart(async () => (await import('./doctor.tsx')).Doctor);
const About = lazyPart(async () => (await import('./about.tsx')).About);

const SECTIONS = [
  'providers',
  'search',
  'agent',
  'appearance',
  'notifications',
  'sandbox',
  'mcp',
  'usage',
  'backups',
  'doctor',
  'about',
] as const;

function Section({ name }: { name: (typeof SECTIONS)[number] }) {
  switch (name) {
    case 'providers':
      return <Providers />;
    case 'search':
      return <SearchSources />;
    case 'agent':
      return <ExternalAgent />;
    case 'appearance':
      return <Appearance />;
    case 'notifications':
      return <NotificationsSettings />;
    case 'sandbox':
      return <SandboxSettings />;
    case 'mcp':
      return <McpSettings />;
    case 'usage':
      return <UsageSettings />;
    case 'backups':
      return <Backups />;
    case 'doctor':
      return <Doctor />;
    case 'about':
      return <About />;
  }
}

export function SettingsPage() {
  const { say } = useWords();
  const params = useParams();
  const section = SECTIONS.find((name) => name === params.section) ?? 'providers';
  return (
    <main className="stage stage-page">
      <div className="page settings">
        <h1>{say('settings.title')}</h1>
        <nav className="tabs" aria-label={say('settings.title')}>
          {SECTIONS.map((name) => (
            <NavLink key={name} to={`/settings/${name}`} className={name === section ? 'active' : ''}>
              {say(`settings.${name}`)}
            </NavLink>
          ))}
        </nav>
        <Waiting fallback={<Loading lines={6} />}>
          <Section name={section} />
        </Waiting>
      </div>
    </main>
  );
}
