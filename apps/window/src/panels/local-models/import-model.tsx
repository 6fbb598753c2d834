import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { FileUp, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { Failure } from '../../parts/states.tsx';
import { refreshModels } from '../../wire/local-models.ts';
import { useWords } from '../../words/words.ts';
import { forgetImport, importFile, isGguf, useImport } from './imports.ts';
import { Progress } from './progress.tsx';

function OnItsWay() {
  const { say, bytes } = useWords();
  const going = useImport();
  if (!going) return null;
  if (going.error !== undefined) {
    return (
      <div className="model-import">
        <Failure error={going.error} />
        <Button onClick={forgetImport}>{say('act.close')}</Button>
      </div>
    );
  }
  const percent = Math.floor((going.sentBytes / Math.max(1, going.totalBytes)) * 100);
  const amount = { done: bytes(going.sentBytes), of: bytes(going.totalBytes) };
  return (
    <div className="model-import" role="status">
      <span className="model-name">{say('localModel.importing', { name: going.name })}</span>
      <Progress label={going.name} percent={percent} text={say('localModel.amount', amount)} />
      <Button leftSection={<X size={14} aria-hidden />} onClick={going.cancel}>
        {say('act.cancel')}
      </Button>
    </div>
  );
}

/** Imports a model file of this computer; an invalid file is rejected before the upload. */
export function ImportModel() {
  const { say } = useWords();
  const client = useQueryClient();
  const going = useImport();
  const input = useRef<HTMLInputElement>(null);
  const [wrong, setWrong] = useState<string>();
  const take = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    const isModel = await isGguf(file);
    setWrong(isModel ? undefined : file.name);
    if (!isModel) return;
    await importFile(file);
    await refreshModels(client);
  };
  return (
    <>
      <Button
        leftSection={<FileUp size={14} aria-hidden />}
        disabled={going !== undefined && going.error === undefined}
        onClick={() => input.current?.click()}
      >
        {say('localModel.import')}
      </Button>
      <input
        ref={input}
        type="file"
        accept=".gguf"
        hidden
        aria-label={say('localModel.import')}
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          event.currentTarget.value = '';
          void take(file);
        }}
      />
      {wrong !== undefined && (
        <p className="model-wrong small" role="alert">
          {say('localModel.notGguf', { name: wrong })}
        </p>
      )}
      <OnItsWay />
    </>
  );
}
