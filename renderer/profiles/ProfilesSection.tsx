import { Copy, Plus, Star, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Profile } from '../../shared/settings/schema.ts';
import { useServices } from '../app/services.ts';
import { useSettings } from '../state/settings-store.ts';
import { Button } from '../ui/Button.tsx';
import { Facts } from '../workspace/Facts.tsx';
import { ProfileEditor } from './ProfileEditor.tsx';
import { addProfile, removeProfile } from './profile-edits.ts';
import { profileFacts } from './profile-words.ts';
import './profiles.css';

/** The list of profiles and the editor of the chosen one. */
export function ProfilesSection() {
  const { settings: service } = useServices();
  const { profiles, defaultProfile } = useSettings((state) => state.settings);
  const [chosen, setChosen] = useState(defaultProfile);
  const profile = profiles.find(({ id }) => id === chosen) ?? profiles[0];
  const add = (from?: Profile) =>
    service.change((settings) => {
      const added = addProfile(settings, from);
      setChosen(added.id);
      return added.settings;
    });
  return (
    <section aria-labelledby="profiles-title">
      <header className="section-header">
        <div>
          <h2 id="profiles-title" className="section-title">
            Profiles
          </h2>
          <p className="section-text">
            A profile says which program runs, on which engine, and what its sandbox lets through. Open
            sessions keep what they were opened with.
          </p>
        </div>
        <Button onPress={() => void add()}>
          <Plus size={14} aria-hidden="true" />
          Add profile
        </Button>
      </header>
      <ul className="profile-list" aria-label="Profiles">
        {profiles.map((candidate) => (
          <ProfileItem
            key={candidate.id}
            profile={candidate}
            isDefault={candidate.id === defaultProfile}
            isChosen={candidate === profile}
            onChoose={() => setChosen(candidate.id)}
          />
        ))}
      </ul>
      {profile && (
        <>
          <ProfileActions
            key={profile.id}
            profile={profile}
            isDefault={profile.id === defaultProfile}
            isLast={profiles.length === 1}
            onDuplicate={() => void add(profile)}
            onRemoved={() => setChosen(defaultProfile)}
          />
          <ProfileEditor key={`editor-${profile.id}`} profile={profile} onIdChange={setChosen} />
        </>
      )}
    </section>
  );
}

interface ProfileItemProps {
  readonly profile: Profile;
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
          <Facts facts={profileFacts(profile)} />
        </span>
      </button>
    </li>
  );
}

interface ProfileActionsProps {
  readonly profile: Profile;
  readonly isDefault: boolean;
  readonly isLast: boolean;
  readonly onDuplicate: () => void;
  readonly onRemoved: () => void;
}

function ProfileActions({ profile, isDefault, isLast, onDuplicate, onRemoved }: ProfileActionsProps) {
  const { settings: service } = useServices();
  const [asking, setAsking] = useState(false);
  const remove = async () => {
    if (await service.change((settings) => removeProfile(settings, profile.id))) onRemoved();
  };
  return (
    <div className="profile-actions">
      <h3 className="profile-heading">{profile.name}</h3>
      {asking ? (
        <>
          <span className="profile-asking">Delete “{profile.name}” for good?</span>
          <Button look="danger" onPress={() => void remove()}>
            Delete profile
          </Button>
          <Button autoFocus onPress={() => setAsking(false)}>
            Keep
          </Button>
        </>
      ) : (
        <>
          <Button
            look="quiet"
            isDisabled={isDefault}
            onPress={() => void service.change((settings) => ({ ...settings, defaultProfile: profile.id }))}
          >
            <Star size={14} aria-hidden="true" />
            {isDefault ? 'Default' : 'Make default'}
          </Button>
          <Button look="quiet" onPress={onDuplicate}>
            <Copy size={14} aria-hidden="true" />
            Duplicate
          </Button>
          <Button look="quiet" isDisabled={isLast} onPress={() => setAsking(true)}>
            <Trash2 size={14} aria-hidden="true" />
            Delete…
          </Button>
        </>
      )}
    </div>
  );
}
