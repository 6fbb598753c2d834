import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { GitPullRequest, LoaderCircle, LogIn } from 'lucide-react';
import type { ReactNode } from 'react';
import { OutsideLink } from '../../parts/outside-link.tsx';
import { CopyButton } from '../../parts/ref.tsx';
import { Empty, Failure } from '../../parts/states.tsx';
import {
  cancelHostSignIn,
  type HostStatus,
  hostStatusQuery,
  installHostProgram,
  isSigningIn,
  signInToHost,
} from '../../wire/github.ts';
import { useWords } from '../../words/words.ts';

const PROGRAM_PAGE = 'https://cli.github.com';

function useAccess() {
  const client = useQueryClient();
  const onSettled = () => client.invalidateQueries({ queryKey: hostStatusQuery.queryKey });
  return {
    begin: useMutation({ mutationFn: signInToHost, onSettled }),
    cancel: useMutation({ mutationFn: cancelHostSignIn, onSettled }),
    install: useMutation({ mutationFn: installHostProgram, onSettled }),
  };
}

type Access = ReturnType<typeof useAccess>;

interface MissingProps {
  status: HostStatus;
  install: Access['install'];
  retry: () => void;
}

/** gh is missing, or its version is not supported. */
function Missing({ status, install, retry }: MissingProps) {
  const { say } = useWords();
  const { isSystemTooOld, version: ghVersion } = status.gh;
  const version = status.appVersion ?? '';
  const isInstalling = install.isPending || status.installation.isRunning;
  return (
    <>
      <Empty
        icon={<GitPullRequest size={20} />}
        title={isSystemTooOld ? say('pulls.tooOld', { version: ghVersion ?? '?' }) : say('pulls.missing')}
        action={
          status.canBeInstalled ? (
            <Button variant="filled" loading={isInstalling} onClick={() => install.mutate()}>
              {say('pulls.install', { version })}
            </Button>
          ) : (
            <Button onClick={retry}>{say('act.retry')}</Button>
          )
        }
      >
        <p>{say(status.canBeInstalled ? 'pulls.install.why' : 'pulls.missing.why')}</p>
        {isInstalling && <p role="status">{say('pulls.install.running')}</p>}
        <p>
          <OutsideLink address={PROGRAM_PAGE}>{say('pulls.missing.page')}</OutsideLink>
        </p>
      </Empty>
      {install.error && <Failure error={install.error} />}
    </>
  );
}

/** The code to enter at the code host; completion is detected automatically. */
function Waiting({ status, cancel }: { status: HostStatus; cancel: Access['cancel'] }) {
  const { say } = useWords();
  const { code, address } = status.link;
  return (
    <section className="host-code" aria-label={say('pulls.signIn')}>
      {code && address && (
        <>
          <p>{say('pulls.code')}</p>
          <p className="host-code-shown">
            <code>{code}</code> <CopyButton value={code} label={say('pulls.code.copy')} />
          </p>
          <p>
            <OutsideLink address={address}>{say('pulls.code.open')}</OutsideLink>
          </p>
        </>
      )}
      <p className="small muted" role="status">
        <LoaderCircle size={12} className="spin" aria-hidden /> {say(code ? 'pulls.code.wait' : 'pulls.code.asked')}
      </p>
      <Button variant="subtle" color="gray" loading={cancel.isPending} onClick={() => cancel.mutate()}>
        {say('act.cancel')}
      </Button>
      {cancel.error && <Failure error={cancel.error} />}
    </section>
  );
}

const ENDED = { failed: 'pulls.signIn.failed', expired: 'pulls.signIn.over' } as const;

function SignedOut({ status, begin }: { status: HostStatus; begin: Access['begin'] }) {
  const { say } = useWords();
  const { state } = status.link;
  return (
    <>
      <Empty
        icon={<LogIn size={20} />}
        title={say('pulls.signedOut')}
        action={
          <Button variant="filled" loading={begin.isPending} onClick={() => begin.mutate()}>
            {say('pulls.signIn')}
          </Button>
        }
      >
        {(state === 'failed' || state === 'expired') && !begin.error && (
          <p className="warning" role="status">
            {say(ENDED[state])}
          </p>
        )}
        {say('pulls.signedOut.why')}
      </Empty>
      {begin.error && <Failure error={begin.error} />}
    </>
  );
}

interface HostAccessProps {
  status: HostStatus;
  retry: () => void;
  children: ReactNode;
}

/** Renders its children once the user is signed in to the code host, and the remaining steps before. */
export function HostAccess({ status, retry, children }: HostAccessProps) {
  const { begin, cancel, install } = useAccess();
  if (!status.gh.hits || status.gh.isSystemTooOld) return <Missing status={status} install={install} retry={retry} />;
  if (status.signIn.isSignedIn) return children;
  if (isSigningIn(status)) return <Waiting status={status} cancel={cancel} />;
  return <SignedOut status={status} begin={begin} />;
}
