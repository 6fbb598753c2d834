import { THEME_NAMES, THEMES } from '@fucina/shared/themes';
import { useState } from 'react';
import { Choice } from '../../parts/choice.tsx';
import { Switch } from '../../parts/switch.tsx';
import { hasSuggestedTitles, setSuggestedTitles } from '../../session/title-setting.ts';
import { SCHEMES, setScheme, setTheme, useAppearance } from '../../styles/appearance.ts';
import { LANGUAGES, setLanguage, useWords } from '../../words/words.ts';

function Titles() {
  const { say } = useWords();
  const [isOn, setIsOn] = useState(hasSuggestedTitles);
  const change = (next: boolean) => {
    setSuggestedTitles(next);
    setIsOn(next);
  };
  return <Switch label={say('settings.titles')} why={say('settings.titles.why')} isOn={isOn} change={change} />;
}

export function Appearance() {
  const { say, language } = useWords();
  const { theme, scheme, mode } = useAppearance();
  return (
    <div className="form">
      <Choice
        label={say('settings.language')}
        values={LANGUAGES}
        value={language}
        name={(value) => say(`settings.language.${value}`)}
        choose={setLanguage}
      />
      <Choice
        label={say('settings.scheme')}
        values={SCHEMES}
        value={scheme}
        name={(value) => say(`settings.scheme.${value}`)}
        choose={setScheme}
      />
      <Titles />
      <fieldset>
        <legend className="field-label">{say('settings.theme')}</legend>
        <div className="themes">
          {THEME_NAMES.map((name) => {
            const colours = THEMES[name][mode];
            return (
              <label key={name} className="theme" data-chosen={name === theme || undefined}>
                <input
                  type="radio"
                  name="theme"
                  className="unseen"
                  checked={name === theme}
                  onChange={() => setTheme(name)}
                />
                <span
                  className="theme-sample"
                  style={{ background: colours.background, borderColor: colours.line, color: colours.text }}
                  aria-hidden
                >
                  <span style={{ color: colours.accent }}>●</span> Aa
                  <span style={{ background: colours.raised }} className="theme-block" />
                </span>
                <span className="theme-name">{name}</span>
              </label>
            );
          })}
        </div>
      </fieldset>
    </div>
  );
}
