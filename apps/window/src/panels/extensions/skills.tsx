import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { lazyPart, Waiting } from '../../parts/lazy-part.tsx';
import { Answer, Failure } from '../../parts/states.tsx';
import { openOverlay } from '../../shell/overlay-state.ts';
import {
  type ExtensionPlace,
  readSkill,
  refreshConfigured,
  removeSkill,
  type Skill,
  type SkillDetails,
  skillsQuery,
  turnSkill,
} from '../../wire/configured-extensions.ts';
import { useWords } from '../../words/words.ts';
import { ExtensionRow } from './extension-row.tsx';
import { Section } from './section.tsx';

const SkillForm = lazyPart(async () => (await import('./skill-form.tsx')).SkillForm);

/** Skills of the user and of the project: written, edited, switched and removed. */
export function Skills({ place }: { place: ExtensionPlace }) {
  const { say } = useWords();
  const query = useQuery(skillsQuery(place));
  const [isAdding, setIsAdding] = useState(false);
  return (
    <Answer query={query} lines={3}>
      {(skills) => (
        <Section
          kind="skills"
          declared={{ rows: skills, problem: null }}
          add={{ label: say('skills.add'), isOpen: isAdding, toggle: () => setIsAdding(!isAdding) }}
          form={
            isAdding && (
              <Waiting fallback={null}>
                <SkillForm place={place} close={() => setIsAdding(false)} />
              </Waiting>
            )
          }
          row={(row) => <SkillRow key={`${row.scope} ${row.id}`} place={place} row={row} />}
        />
      )}
    </Answer>
  );
}

function SkillRow({ place, row }: { place: ExtensionPlace; row: Skill }) {
  const { say } = useWords();
  const client = useQueryClient();
  const onSettled = () => refreshConfigured(client);
  const [text, setText] = useState<SkillDetails>();
  const name = row.name || row.id;
  const isForeign = row.file !== null && !row.file.startsWith('.svc/');
  const turning = useMutation({ mutationFn: (isOn: boolean) => turnSkill(place, row, isOn), onSettled });
  const opening = useMutation({ mutationFn: () => readSkill(place, row), onSuccess: setText });
  const removing = useMutation({
    mutationFn: () => readSkill(place, row),
    onSuccess: ({ otherFiles }) =>
      openOverlay({
        kind: 'confirm',
        title: say('skills.remove.ask', { name }),
        text:
          otherFiles.length === 0
            ? say('skills.remove.why')
            : say('skills.remove.files', { files: otherFiles.slice(0, 20).join(', ') }),
        act: say('configured.remove'),
        isDangerous: true,
        run: () => removeSkill(place, row).finally(onSettled),
      }),
  });
  const error = turning.error ?? opening.error ?? removing.error;
  return (
    <ExtensionRow
      name={name}
      isOn={turning.isPending ? turning.variables : row.isOn}
      turn={(isOn) => turning.mutate(isOn)}
      scope={say(`skills.scope.${row.scope}`)}
      tags={
        <>
          {row.name && <code className="muted small">{row.id}</code>}
          {row.error !== null && <span className="tag danger">{say('extensions.broken')}</span>}
        </>
      }
      edit={() => opening.mutate()}
      remove={() => removing.mutate()}
    >
      {isForeign && <code className="muted small">{row.file}</code>}
      {row.description && <p className="muted small">{row.description}</p>}
      {row.isReplaced && <p className="muted small">{say('skills.replaced')}</p>}
      {row.error !== null && <code className="small">{row.error}</code>}
      {row.error !== null && row.isOn && !isForeign && <p className="small">{say('skills.broken')}</p>}
      {error && <Failure error={error} />}
      {text && (
        <Waiting fallback={null}>
          <SkillForm place={place} skill={row} text={text} close={() => setText(undefined)} />
        </Waiting>
      )}
    </ExtensionRow>
  );
}
