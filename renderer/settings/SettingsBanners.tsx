import { useConnection } from '../state/connection-store.ts';
import { useSettings } from '../state/settings-store.ts';

/** What is wrong with the settings file, field by field, and why a change was not kept. */
export function SettingsBanners() {
  const { problems, saveError } = useSettings();
  const path = useConnection((state) => state.host?.settingsPath);
  return (
    <>
      {problems.length > 0 && (
        <div className="notice notice-attention" role="alert">
          <p>
            <strong>The settings file is not used.</strong> It has mistakes, so the standard settings stand
            in. The file is kept as it is: <code className="selectable">{path}</code>
          </p>
          <ul className="notice-list">
            {problems.map(({ field, message }) => (
              <li key={`${field} ${message}`} className="selectable">
                {field !== '' && <code>{field}</code>} {message}
              </li>
            ))}
          </ul>
          <p>
            Correct the file, or change a setting here: then a new file is written and the old one is kept
            beside it.
          </p>
        </div>
      )}
      {saveError !== null && (
        <div className="notice notice-danger" role="alert">
          <p>
            <strong>The change was not kept.</strong> {saveError}
          </p>
        </div>
      )}
    </>
  );
}
