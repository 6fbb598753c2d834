import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ArrowDownToLine, ArrowLeft, Heart, Images, Lock } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { Markdown } from '../../parts/markdown.tsx';
import { OutsideLink } from '../../parts/outside-link.tsx';
import { Answer } from '../../parts/states.tsx';
import { type HubRepository, imageAddress, repositoryQuery } from '../../wire/local-models.ts';
import { useWords } from '../../words/words.ts';
import { ModelFiles } from './model-files-list.tsx';

function Fact({ children }: { children: ReactNode }) {
  return <li className="model-count small muted tabular">{children}</li>;
}

function Facts({ repository }: { repository: HubRepository }) {
  const { say, short } = useWords();
  const { license, pipelineTag, downloads, likes, gated, isKnownToEngine } = repository;
  return (
    <ul className="model-facts">
      <Fact>{say('localModel.license', { license: license ?? say('localModel.license.unknown') })}</Fact>
      {pipelineTag !== null && <Fact>{pipelineTag}</Fact>}
      {downloads !== null && (
        <Fact>
          <ArrowDownToLine size={12} aria-label={say('localModel.hubDownloads')} />
          {short(downloads)}
        </Fact>
      )}
      {likes !== null && (
        <Fact>
          <Heart size={12} aria-label={say('localModel.likes')} />
          {short(likes)}
        </Fact>
      )}
      {gated && (
        <Fact>
          <Lock size={12} aria-hidden />
          {say('localModel.gated')}
        </Fact>
      )}
      {isKnownToEngine === false && <Fact>{say('localModel.unknownKind')}</Fact>}
    </ul>
  );
}

/** Images of a model card are loaded through the server, and only on request. */
function Pictures({ images }: { images: HubRepository['images'] }) {
  const { say } = useWords();
  const [isShown, setIsShown] = useState(false);
  if (images.length === 0) return null;
  if (!isShown) {
    return (
      <Button leftSection={<Images size={14} aria-hidden />} onClick={() => setIsShown(true)}>
        {say('localModel.pictures', { count: images.length })}
      </Button>
    );
  }
  return (
    <ul className="model-pictures">
      {images.map(({ alt, url }) => (
        <li key={url}>
          <img src={imageAddress(url)} alt={alt || say('localModel.picture')} loading="lazy" />
        </li>
      ))}
    </ul>
  );
}

/** Layout tags are removed; the rest is shown as written. */
const LAYOUT = /<\/?(?:div|p|center|br|a|span|b|i|u|strong|em|sup|sub|font|details|summary|h[1-6])\b[^<>]{0,500}>/gi;

function Shown({ repository }: { repository: HubRepository }) {
  const { say } = useWords();
  const { repo, revision, readme, images, gated } = repository;
  return (
    <article className="model-repository">
      <h2>{repo}</h2>
      <Facts repository={repository} />
      <OutsideLink address={`https://huggingface.co/${repo}`}>{say('localModel.openHub')}</OutsideLink>
      {gated && <p className="small">{say('localModel.gated.why')}</p>}
      <section aria-label={say('localModel.files')}>
        <h3>{say('localModel.files')}</h3>
        <ModelFiles key={revision} repository={repository} />
      </section>
      <section aria-label={say('localModel.page')} className="model-readme">
        <h3>{say('localModel.page')}</h3>
        {readme === '' ? (
          <p className="small muted">{say('localModel.page.none')}</p>
        ) : (
          <Markdown text={readme.replace(LAYOUT, '')} />
        )}
        <Pictures images={images} />
      </section>
    </article>
  );
}

/** One repository of the hub: description, files, model card. */
export function Repository({ repo }: { repo: string }) {
  const { say } = useWords();
  const query = useQuery(repositoryQuery(repo));
  return (
    <section className="model-part" aria-label={repo}>
      <Link to="/local-models/hub" className="text-button">
        <ArrowLeft size={14} aria-hidden />
        {say('localModel.hub')}
      </Link>
      <Answer query={query} lines={8}>
        {(repository) => <Shown repository={repository} />}
      </Answer>
    </section>
  );
}
