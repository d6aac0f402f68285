import { Search } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Button, Input, SearchField } from 'react-aria-components';
import { CATALOGUE } from '../commands/catalogue.ts';
import { ProfilesSection } from '../profiles/ProfilesSection.tsx';
import {
  SETTINGS_SECTIONS,
  type SettingsSection,
  showSettingsSection,
  useWorkspace,
} from '../state/workspace-store.ts';
import { useStateOf } from '../ui/use-state-of.ts';
import { GENERATED_FIELDS, type GeneratedPart, GeneratedSection } from './AppearanceAndTerminal.tsx';
import { EnginesSection } from './EnginesSection.tsx';
import { matchesSearch } from './fields.ts';
import { KeysSection } from './KeysSection.tsx';
import { SettingsBanners } from './SettingsBanners.tsx';
import { TranscriptsSection } from './TranscriptsSection.tsx';
import './settings.css';

const SECTION_TITLES: Record<SettingsSection, string> = {
  appearance: 'Appearance',
  terminal: 'Terminal',
  keys: 'Keys',
  profiles: 'Profiles',
  engines: 'Engines',
  transcripts: 'Transcripts',
};

export function SettingsView() {
  const asked = useWorkspace((state) => state.section);
  const section = asked.name;
  // Whoever asks for a section has done with searching.
  const [query, setQuery] = useStateOf(asked, '');
  const nav = useFocusOfSection(asked);
  return (
    <div className="settings">
      <nav className="settings-nav" aria-label="Settings" ref={nav}>
        <SearchField
          className="settings-search"
          aria-label="Search settings"
          value={query}
          onChange={setQuery}
        >
          <Search size={14} aria-hidden="true" />
          <Input className="settings-search-input" placeholder="Search settings" />
        </SearchField>
        {SETTINGS_SECTIONS.map((candidate) => (
          <Button
            key={candidate}
            className="settings-nav-item"
            {...(candidate === section && query === '' && { 'aria-current': 'page' as const })}
            onPress={() => showSettingsSection(candidate)}
          >
            {SECTION_TITLES[candidate]}
          </Button>
        ))}
      </nav>
      <main className="settings-page" aria-label="Settings">
        <h1 className="visually-hidden">Settings</h1>
        <div className="settings-content" key={query === '' ? section : 'search'}>
          <SettingsBanners />
          {query.trim() === '' ? <Section section={section} /> : <SearchResults query={query} />}
        </div>
      </main>
    </div>
  );
}

/** Who came here by a command has the focus nowhere: it goes to the section's name, so that Tab goes on into the section. */
function useFocusOfSection(asked: object) {
  const nav = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked for again, it is gone to again
  useEffect(() => {
    // What had the focus is hidden by now, and loses it with the next frame.
    const frame = requestAnimationFrame(() => {
      const { activeElement } = document;
      if (activeElement === document.body || activeElement?.checkVisibility() === false)
        nav.current?.querySelector<HTMLElement>('[aria-current=page]')?.focus();
    });
    return () => cancelAnimationFrame(frame);
  }, [asked]);
  return nav;
}

function Section({ section }: { readonly section: SettingsSection }) {
  switch (section) {
    case 'appearance':
    case 'terminal':
      return <GeneratedSection part={section} />;
    case 'keys':
      return <KeysSection />;
    case 'profiles':
      return <ProfilesSection />;
    case 'engines':
      return <EnginesSection />;
    case 'transcripts':
      return <TranscriptsSection />;
  }
}

function SearchResults({ query }: { readonly query: string }) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const parts = (['appearance', 'terminal', 'transcripts'] as GeneratedPart[])
    .map((part) => ({ part, fields: GENERATED_FIELDS[part].filter((field) => matchesSearch(field, query)) }))
    .filter(({ fields }) => fields.length > 0);
  const keys = CATALOGUE.some(({ title }) => words.every((word) => title.toLowerCase().includes(word)));
  if (parts.length === 0 && !keys)
    return <p className="section-text">No setting matches “{query.trim()}”.</p>;
  return (
    <>
      {parts.map(({ part, fields }) => (
        <GeneratedSection key={part} part={part} fields={fields} />
      ))}
      {keys && <KeysSection query={query} />}
    </>
  );
}
