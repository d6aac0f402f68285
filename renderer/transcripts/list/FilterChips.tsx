import { Check, ChevronDown } from 'lucide-react';
import { Button, Menu, MenuItem, MenuTrigger, Popover, ToggleButton } from 'react-aria-components';
import { useServices } from '../../app/services.ts';
import { useSettings } from '../../state/settings-store.ts';
import { useTranscripts } from '../../state/transcripts-store.ts';
import { applyFilter, chosenOption, type MenuFilter, menuFilters } from './filters.ts';

const FLAGS = [
  { key: 'withApprovals', label: 'Approvals', name: 'With approvals' },
  { key: 'withReceipts', label: 'Receipts', name: 'With receipts' },
] as const;

/** What the list is cut down to. A chip that lets everything through is quiet. */
export function FilterChips() {
  const { transcripts } = useServices();
  const { filters, raw } = useTranscripts(({ query }) => query);
  const profiles = useSettings(({ settings }) => settings.profiles);
  const change = (next: typeof filters) => transcripts.look({ filters: applyFilter(filters, next) });
  return (
    <div className="chips" role="toolbar" aria-label="Filters">
      {menuFilters(profiles).map((filter) => (
        <MenuChip key={filter.id} filter={filter} filters={filters} onChange={change} />
      ))}
      {FLAGS.map(({ key, label, name }) => (
        <ToggleButton
          key={key}
          className="chip"
          aria-label={name}
          isSelected={filters[key] === true}
          onChange={(on) => change({ [key]: on ? true : undefined })}
        >
          {label}
        </ToggleButton>
      ))}
      <ToggleButton className="chip" isSelected={raw} onChange={(on) => transcripts.look({ raw: on })}>
        Raw output
      </ToggleButton>
    </div>
  );
}

interface MenuChipProps {
  readonly filter: MenuFilter;
  readonly filters: Parameters<typeof chosenOption>[1];
  readonly onChange: (change: Parameters<typeof chosenOption>[1]) => void;
}

function MenuChip({ filter, filters, onChange }: MenuChipProps) {
  const chosen = chosenOption(filter, filters);
  const options = [filter.any, ...filter.options];
  return (
    <MenuTrigger>
      <Button
        className="chip"
        aria-label={`${filter.name}: ${chosen.label}`}
        data-selected={chosen !== filter.any || undefined}
      >
        {chosen === filter.any ? filter.name : chosen.label}
        <ChevronDown size={12} aria-hidden="true" />
      </Button>
      <Popover className="menu-popover chip-popover" placement="bottom start" offset={4}>
        <Menu
          className="menu"
          aria-label={filter.name}
          selectionMode="single"
          selectedKeys={[chosen.id]}
          onAction={(key) => {
            const option = options.find(({ id }) => id === key);
            if (option !== undefined) onChange(option.change);
          }}
        >
          {options.map(({ id, label }) => (
            <MenuItem key={id} id={id} textValue={label} className="menu-item">
              <span className="menu-title">{label}</span>
              {id === chosen.id && <Check size={14} aria-hidden="true" />}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
