import '../../styles/inbox.css';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { Switch } from '../../parts/switch.tsx';
import {
  type AlertPermission,
  alertPermission,
  playChime,
  requestAlerts,
  showAlert,
} from '../../shell/notifications/alerts.ts';
import { ATTENTION_KINDS } from '../../shell/notifications/attention.ts';
import {
  changeNotificationSettings,
  type NotificationSettings,
  useNotificationSettings,
} from '../../shell/notifications/notification-settings.ts';
import { useWords } from '../../words/words.ts';

const NIGHT = { from: '22:00', to: '07:00' };

function QuietHours({ quietHours }: Pick<NotificationSettings, 'quietHours'>) {
  const { say } = useWords();
  const change = (hours: Partial<typeof NIGHT>) => {
    // A cleared field has no time: the previous value stays.
    if (Object.values(hours).every((time) => time !== ''))
      changeNotificationSettings({ quietHours: { ...NIGHT, ...quietHours, ...hours } });
  };
  return (
    <>
      <Switch
        label={say('notify.quiet')}
        why={say('notify.quiet.why')}
        isOn={quietHours !== undefined}
        change={(isOn) => changeNotificationSettings({ quietHours: isOn ? NIGHT : undefined })}
      />
      {quietHours && (
        <div className="quiet-hours">
          {(['from', 'to'] as const).map((end) => (
            <label key={end} className="field">
              <span className="field-label">{say(`notify.${end}`)}</span>
              <input
                type="time"
                className="input"
                value={quietHours[end]}
                onChange={(event) => change({ [end]: event.currentTarget.value })}
              />
            </label>
          ))}
        </div>
      )}
    </>
  );
}

/** When this browser shows notifications, and which. */
export function NotificationsSettings() {
  const { say } = useWords();
  const navigate = useNavigate();
  const settings = useNotificationSettings();
  const [permission, setPermission] = useState<AlertPermission>(alertPermission);
  const { isOn, kinds } = settings;
  const turn = async (wanted: boolean) => {
    const given = wanted ? await requestAlerts() : permission;
    setPermission(given);
    changeNotificationSettings({ isOn: wanted && given === 'granted' });
  };
  const test = () => {
    const open = () => void navigate('/settings/notifications');
    showAlert({ title: say('notify.test.title'), body: say('notify.test.body'), tag: 'test', open });
    if (settings.hasSound) playChime();
  };
  const isShown = isOn && permission === 'granted';
  return (
    <div className="form">
      <Switch
        label={say('notify.on')}
        why={say('notify.on.why')}
        isOn={isShown}
        isDisabled={permission === 'unsupported'}
        change={(wanted) => void turn(wanted)}
      />
      {permission === 'denied' && <p className="warning">{say('notify.blocked')}</p>}
      {permission === 'unsupported' && <p className="warning">{say('notify.unsupported')}</p>}
      {isShown && (
        <>
          <fieldset>
            <legend className="field-label">{say('notify.kinds')}</legend>
            {ATTENTION_KINDS.map((kind) => (
              <Switch
                key={kind}
                label={say(`notify.kind.${kind}`)}
                isOn={kinds.includes(kind)}
                change={(wanted) =>
                  changeNotificationSettings({
                    kinds: ATTENTION_KINDS.filter((one) => (one === kind ? wanted : kinds.includes(one))),
                  })
                }
              />
            ))}
          </fieldset>
          <Switch
            label={say('notify.sound')}
            isOn={settings.hasSound}
            change={(hasSound) => changeNotificationSettings({ hasSound })}
          />
          <QuietHours quietHours={settings.quietHours} />
          <div>
            <Button onClick={test}>{say('notify.test')}</Button>
          </div>
        </>
      )}
    </div>
  );
}
