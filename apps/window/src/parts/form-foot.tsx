import { Button } from '@mantine/core';
import { useWords } from '../words/words.ts';
import { Failure } from './states.tsx';

interface FormFootProps {
  /** Of the button that submits. */
  label: string;
  isSaving: boolean;
  isDisabled?: boolean;
  /** Why the last attempt failed. */
  error: Error | null;
  close: () => void;
}

/** The end of a form: the failure of the last attempt, and the buttons to submit and to cancel. */
export function FormFoot({ label, isSaving, isDisabled = false, error, close }: FormFootProps) {
  const { say } = useWords();
  return (
    <>
      {error && <Failure error={error} />}
      <div className="mcp-form-foot">
        <Button type="submit" loading={isSaving} disabled={isDisabled}>
          {label}
        </Button>
        <Button variant="default" onClick={close}>
          {say('act.cancel')}
        </Button>
      </div>
    </>
  );
}
