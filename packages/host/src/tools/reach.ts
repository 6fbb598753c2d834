import type { OpenHosts } from '@fucina/sandbox';
import type { Sessions, SessionsNeeds } from '@fucina/sessions';
import type { JoinSettings } from '../settings.ts';

/** The network policy for tools that ask something outside this computer. */
export function createReach(
  { rules, standingRules }: Pick<JoinSettings, 'rules' | 'standingRules'>,
  lineageOf: Sessions['lineage'],
): NonNullable<SessionsNeeds['reach']> {
  return async ({ sessionId, folder, tool, url, isFree }) => {
    const stored = await rules();
    const place = { folder, lineage: lineageOf(sessionId) };
    if (stored.isToolDenied(tool, place)) return { verdict: 'deny', because: 'tool' };
    const mode = stored.mode(place);
    if (url === undefined) return mode === 'off' ? { verdict: 'deny', because: 'network-off' } : { verdict: 'allow' };
    const { decideAddress } = await import('@fucina/sandbox');
    const rule = (target: Parameters<typeof standingRules.judgeNetwork>[0]) =>
      standingRules.judgeNetwork(target, folder);
    const decision = await decideAddress({ url, mode, rule, isFree });
    if (decision.verdict !== 'deny') return decision;
    return { verdict: 'deny', because: decision.reason === 'off' ? 'network-off' : 'rule' };
  };
}

type OpenHostsSessions = Pick<Sessions, 'lineage' | 'folderOf'> & {
  requests: Pick<Sessions['requests'], 'networkAnswers'>;
};

/** The same policy as a list, for a page that the user's own browser shows. */
export function createOpenHosts(
  { rules, standingRules }: Pick<JoinSettings, 'rules' | 'standingRules'>,
  sessions: () => OpenHostsSessions,
): (sessionId: string) => Promise<OpenHosts> {
  return async (sessionId) => {
    const { lineage, folderOf, requests } = sessions();
    const { hosts, asksNothing } = requests.networkAnswers(sessionId);
    const folder = await folderOf(sessionId);
    const [stored, patterns] = await Promise.all([rules(), standingRules.hostPatterns(folder)]);
    const { openHosts, parseHostPattern } = await import('@fucina/sandbox');
    const mode = stored.mode({ folder, lineage: lineage(sessionId) });
    const granted = hosts.flatMap((text) => parseHostPattern(text) ?? []);
    return openHosts({ mode, rules: { patterns }, granted, asksNothing });
  };
}
