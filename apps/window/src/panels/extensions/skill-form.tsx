import '../../styles/forms.css';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { FormFoot } from '../../parts/form-foot.tsx';
import { TextField } from '../../parts/text-field.tsx';
import {
  addSkill,
  changeSkill,
  type ExtensionPlace,
  type OwnScope,
  refreshConfigured,
  type Skill,
  type SkillDetails,
} from '../../wire/configured-extensions.ts';
import { useWords } from '../../words/words.ts';
import { ScopeChoice } from '../mcp/scope-choice.tsx';
import { EXTENSION_ID } from './hook-draft.ts';

interface SkillFormProps {
  place: ExtensionPlace;
  /** The skill to edit, and its text; a new one without them. */
  skill?: Skill;
  text?: SkillDetails;
  close: () => void;
}

interface SkillDraft {
  scope: OwnScope;
  name: string;
  /** Empty: made from the name. */
  folder: string;
  description: string;
  instructions: string;
}

const folderOf = ({ folder, name }: SkillDraft): string => folder.trim() || folderName(name);

/** Writes a skill: SKILL.md in the project's folder or in the user's. */
export function SkillForm({ place, skill, text, close }: SkillFormProps) {
  const { say } = useWords();
  const client = useQueryClient();
  const [draft, setDraft] = useState<SkillDraft>({
    scope: skill?.scope ?? 'project',
    name: text?.name ?? '',
    folder: skill?.id ?? '',
    description: text?.description ?? '',
    instructions: text?.instructions ?? '',
  });
  const [isTried, setIsTried] = useState(false);
  const save = useMutation({
    mutationFn: () =>
      (skill ? changeSkill : addSkill)(place, {
        id: folderOf(draft),
        scope: draft.scope,
        name: draft.name.trim(),
        description: draft.description.trim(),
        instructions: draft.instructions,
      }),
    onSuccess: async () => {
      await refreshConfigured(client);
      close();
    },
  });
  const problem = problemOf(draft);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsTried(true);
    if (!problem) save.mutate();
  };
  return (
    <form className="mcp-form" aria-label={say(skill ? 'skills.form.edit' : 'skills.add')} onSubmit={submit} noValidate>
      <h3>{skill ? say('configured.editOf', { name: skill.name || skill.id }) : say('skills.add')}</h3>
      <SkillFields
        draft={draft}
        isNew={!skill}
        file={skill?.file ?? `.svc/skills/${folderOf(draft) || '…'}/SKILL.md`}
        change={(more) => setDraft({ ...draft, ...more })}
        problem={isTried ? problem : undefined}
      />
      <FormFoot
        label={say(skill ? 'act.save' : 'skills.add')}
        isSaving={save.isPending}
        error={save.error}
        close={close}
      />
    </form>
  );
}

interface SkillFieldsProps {
  draft: SkillDraft;
  isNew: boolean;
  /** Where one of the project is written. */
  file: string;
  change: (more: Partial<SkillDraft>) => void;
  problem: ReturnType<typeof problemOf>;
}

function SkillFields({ draft, isNew, file, change, problem }: SkillFieldsProps) {
  const { say } = useWords();
  const id = useId();
  return (
    <>
      <TextField
        id={`${id}-name`}
        label={say('mcp.form.name')}
        value={draft.name}
        placeholder={say('skills.form.name.example')}
        problem={problem === 'name' ? say('skills.form.name.problem') : undefined}
        isFocused
        change={(name) => change({ name })}
      />
      {isNew && (
        <>
          <TextField
            id={`${id}-folder`}
            label={say('skills.form.folder')}
            value={draft.folder}
            placeholder={folderName(draft.name)}
            problem={problem === 'folder' ? say('mcp.problem.name') : undefined}
            change={(folder) => change({ folder })}
          />
          <ScopeChoice scope={draft.scope} choose={(scope) => change({ scope })} />
        </>
      )}
      <TextField
        id={`${id}-description`}
        label={say('skills.form.description')}
        value={draft.description}
        help={say('skills.form.description.help')}
        problem={problem === 'description' ? say('skills.form.description.problem') : undefined}
        change={(description) => change({ description })}
      />
      <div className="field">
        <label className="field-label" htmlFor={`${id}-text`}>
          {say('skills.form.instructions')}
        </label>
        <textarea
          id={`${id}-text`}
          className="input code-input"
          rows={12}
          value={draft.instructions}
          onChange={(event) => change({ instructions: event.currentTarget.value })}
        />
      </div>
      {draft.scope === 'project' && (
        <p className="small muted">
          {say('skills.form.writes')} <code>{file}</code>
        </p>
      )}
    </>
  );
}

/** The first field that cannot be saved. */
function problemOf(draft: SkillDraft): 'name' | 'folder' | 'description' | undefined {
  const isWithin = (text: string, most: number): boolean => text.trim() !== '' && text.trim().length <= most;
  if (!isWithin(draft.name, 64)) return 'name';
  if (!EXTENSION_ID.test(folderOf(draft))) return 'folder';
  return isWithin(draft.description, 1_024) ? undefined : 'description';
}

/** The name of a skill as the name of a folder. */
function folderName(name: string): string {
  return name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 64);
}
