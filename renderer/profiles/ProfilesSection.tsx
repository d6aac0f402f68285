import { Copy, Play, Plus, Star, Trash2 } from 'lucide-react';
import { Fragment, type ReactNode, useState } from 'react';
import {
  type AnyProfile,
  type Profile,
  type Settings,
  sandboxProfiles,
} from '../../shared/settings/schema.ts';
import { useServices } from '../app/services.ts';
import { useSettings } from '../state/settings-store.ts';
import { useWorkspace } from '../state/workspace-store.ts';
import { Button } from '../ui/Button.tsx';
import { ConfirmRow } from '../ui/ConfirmRow.tsx';
import { Facts } from '../workspace/Facts.tsx';
import { ProfileEditor } from './ProfileEditor.tsx';
import { addProfile, addSymbiontProfile, removeProfile } from './profile-edits.ts';
import { profileFacts } from './profile-words.ts';
import { SymbiontEditor } from './SymbiontEditor.tsx';
import { useEditedProfile } from './use-edited-profile.ts';
import { useEngineCheck } from './use-engine-check.ts';
import './profiles.css';

/** The list of profiles and the editor of the chosen one. */
export function ProfilesSection() {
  const { settings: service } = useServices();
  const settings = useSettings((state) => state.settings);
  const { profiles, defaultProfile } = settings;
  const { profile, key, rename } = useEditedProfile();
  const add = (edit: (settings: Settings) => ReturnType<typeof addProfile>) =>
    void service.change((settings) => {
      const added = edit(settings);
      choose(added.id);
      return added.settings;
    });
  const onDuplicate = () => add((settings) => addProfile(settings, profile));
  return (
    <section aria-labelledby="profiles-title">
      <header className="section-header">
        <div>
          <h2 id="profiles-title" className="section-title">
            Profiles
          </h2>
          <p className="section-text">
            A profile says which program runs, on which engine, and what its sandbox lets through. Open
            sessions keep what they were opened with. A Symbiont runtime opens nothing: what it holds for
            approval is decided here.
          </p>
        </div>
        <div className="section-actions">
          <Button onPress={() => add(addProfile)}>
            <Plus size={14} aria-hidden="true" />
            Add profile
          </Button>
          <Button onPress={() => add(addSymbiontProfile)}>
            <Plus size={14} aria-hidden="true" />
            Add Symbiont runtime
          </Button>
        </div>
      </header>
      <ul className="profile-list" aria-label="Profiles">
        {profiles.map((candidate) => (
          <ProfileItem
            key={candidate.id}
            profile={candidate}
            isDefault={candidate.id === defaultProfile}
            isChosen={candidate === profile}
            onChoose={() => choose(candidate.id)}
          />
        ))}
      </ul>
      {profile?.kind === 'sandbox' && (
        <SandboxProfile
          key={key}
          profile={profile}
          isDefault={profile.id === defaultProfile}
          isLast={sandboxProfiles(settings).length === 1}
          onIdChange={rename}
          onDuplicate={onDuplicate}
        />
      )}
      {profile?.kind === 'symbiont' && (
        <Fragment key={key}>
          <ProfileActions profile={profile} isDefault={false} isLast={false} onDuplicate={onDuplicate} />
          <SymbiontEditor profile={profile} onIdChange={rename} />
        </Fragment>
      )}
    </section>
  );
}

function choose(profile: string): void {
  useWorkspace.setState({ profile });
}

interface ProfileItemProps {
  readonly profile: AnyProfile;
  readonly isDefault: boolean;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function ProfileItem({ profile, isDefault, isChosen, onChoose }: ProfileItemProps) {
  return (
    <li>
      <button type="button" className="profile-item" aria-pressed={isChosen} onClick={onChoose}>
        <span className="profile-name">{profile.name}</span>
        {isDefault && <span className="profile-default">Default</span>}
        <span className="profile-facts">
          {profile.kind === 'sandbox' ? (
            <Facts facts={profileFacts(profile)} />
          ) : (
            <>
              Symbiont runtime · <code className="profile-address">{profile.address}</code>
            </>
          )}
        </span>
      </button>
    </li>
  );
}

type SandboxProfileProps = Omit<ProfileActionsProps, 'trial'> & {
  readonly profile: Profile;
  readonly onIdChange: (id: string) => void;
};

/** The actions and the editor of a profile that opens shells, with one check of its engine for both. */
function SandboxProfile({ profile, onIdChange, ...actions }: SandboxProfileProps) {
  const { workspace } = useServices();
  const check = useEngineCheck(profile);
  const cannotOpen = check.error !== null || check.status?.usable === false;
  const trial = (
    <Button look={cannotOpen ? 'plain' : 'primary'} onPress={() => workspace.openTab({ trial: profile })}>
      <Play size={13} aria-hidden="true" />
      Try it
    </Button>
  );
  return (
    <>
      <ProfileActions profile={profile} {...actions} trial={trial} />
      <ProfileEditor profile={profile} check={check} onIdChange={onIdChange} />
    </>
  );
}

interface ProfileActionsProps {
  readonly profile: AnyProfile;
  readonly isDefault: boolean;
  readonly isLast: boolean;
  readonly onDuplicate: () => void;
  /** Opens the profile as it stands; left out where it opens nothing. */
  readonly trial?: ReactNode;
}

function ProfileActions({ profile, isDefault, isLast, onDuplicate, trial }: ProfileActionsProps) {
  const { settings: service } = useServices();
  const [asking, setAsking] = useState(false);
  const remove = () => void service.change((settings) => removeProfile(settings, profile.id));
  return (
    <div className="profile-actions">
      <h3 className="profile-heading">{profile.name}</h3>
      {asking ? (
        <ConfirmRow
          question={`Delete “${profile.name}” for good?`}
          yes="Delete profile"
          onYes={remove}
          onNo={() => setAsking(false)}
        />
      ) : (
        <>
          {profile.kind === 'sandbox' && (
            <Button
              look="quiet"
              isDisabled={isDefault}
              onPress={() => void service.change((settings) => ({ ...settings, defaultProfile: profile.id }))}
            >
              <Star size={14} aria-hidden="true" />
              {isDefault ? 'Default' : 'Make default'}
            </Button>
          )}
          <Button look="quiet" onPress={onDuplicate}>
            <Copy size={14} aria-hidden="true" />
            Duplicate
          </Button>
          <Button look="quiet" isDisabled={isLast} onPress={() => setAsking(true)}>
            <Trash2 size={14} aria-hidden="true" />
            Delete…
          </Button>
          {trial}
        </>
      )}
    </div>
  );
}
