import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { doctorQuery } from '../../wire/setup.ts';
import { useWords } from '../../words/words.ts';

export function About() {
  const { say } = useWords();
  const doctor = useQuery(doctorQuery);
  return (
    <div className="form about">
      <p>{say('settings.about.text')}</p>
      {doctor.data && (
        <p className="muted tabular">
          {say('settings.version')} {doctor.data.version}
        </p>
      )}
      <p>
        <Link to="/api-docs">{say('api.title')}</Link>
      </p>
      <p>
        <Link to="/setup">{say('settings.setupAgain')}</Link>
      </p>
    </div>
  );
}
