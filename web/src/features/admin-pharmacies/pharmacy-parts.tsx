import { adminMigrationPath, adminPharmacyPath } from '@bancone/contract/admin-pages'
import type { AdminPharmacy } from '@bancone/contract/admin-pharmacies'
import { CircleCheck, CircleDashed, DatabaseBackup, Pencil, Power } from 'lucide-react'
import { Link } from 'react-router'
import { formatNumber } from '../../lib/format.ts'
import { cn } from '../../ui/class-names.ts'
import { ItemMenu } from '../../ui/item-menu.tsx'
import { MenuItem, menuItemStyle } from '../../ui/menu.tsx'
import { PressedLink } from '../../ui/pressed-link.tsx'
import { SwitchMark } from '../../ui/switch.tsx'

export type PharmacyItemProps = {
  pharmacy: AdminPharmacy
  /** A switch waits for the server. */
  busy: boolean
  /** The history state of the links to the form. */
  back: unknown
  onActive: (active: boolean) => void
  /** Asks before the orders come from elsewhere. */
  onSource: (opener: HTMLElement) => void
  onRemove: (opener: HTMLElement) => void
}

export function limitText(max: AdminPharmacy['max_offers']): string {
  return max === null ? 'Illimitate' : formatNumber(max)
}

export function planText({ subscription_plans: plan }: AdminPharmacy): string {
  return plan?.name ?? 'Nessun piano'
}

function hasAirtable(pharmacy: AdminPharmacy): boolean {
  return Boolean(pharmacy.airtable_base_id && pharmacy.airtable_table_id)
}

export function AirtableBadge(pharmacy: AdminPharmacy) {
  const isSet = hasAirtable(pharmacy)
  const Icon = isSet ? CircleCheck : CircleDashed
  return (
    <span
      className={cn(
        'inline-flex items-center gap-1 rounded-full border px-2 py-0.5 text-xs leading-tight font-medium xl:whitespace-nowrap',
        isSet
          ? 'border-confirmed-line bg-confirmed-soft text-confirmed'
          : 'border-unknown-line bg-unknown-soft text-unknown',
      )}
    >
      <Icon aria-hidden className="size-3.5 shrink-0" />
      {isSet ? 'Configurato' : 'Non Configurato'}
    </span>
  )
}

type LabelledSwitchProps = {
  label: string
  /** The current state in a word. */
  word: string
  checked: boolean
  busy: boolean
  onChange: (checked: boolean, opener: HTMLElement) => void
}

function LabelledSwitch({ label, word, checked, busy, onChange }: LabelledSwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={checked}
      aria-label={`${label}: ${word}`}
      aria-disabled={busy || undefined}
      onClick={busy ? undefined : ({ currentTarget }) => onChange(!checked, currentTarget)}
      className="group -ml-1.5 flex min-h-11 items-center gap-2 rounded-control px-1.5 text-left text-sm"
    >
      <SwitchMark checked={checked} />
      {word}
    </button>
  )
}

/** Switches the source of the orders; without Airtable there is one only. */
export function SourceSwitch({ pharmacy, busy, onSource }: PharmacyItemProps) {
  const { name, use_supabase_orders: checked } = pharmacy
  if (!hasAirtable(pharmacy)) {
    return <p className="flex min-h-11 items-center text-sm">Database</p>
  }
  return (
    <LabelledSwitch
      label={`Fonte ordini di ${name}`}
      word={checked ? 'Supabase' : 'Airtable'}
      checked={checked}
      busy={busy}
      onChange={(_checked, opener) => onSource(opener)}
    />
  )
}

/** Activates and deactivates the pharmacy. */
export function StatusSwitch({ pharmacy, busy, onActive }: PharmacyItemProps) {
  const { name, is_active: checked } = pharmacy
  return (
    <LabelledSwitch
      label={`Stato di ${name}`}
      word={checked ? 'Attiva' : 'Disattivata'}
      checked={checked}
      busy={busy}
      onChange={onActive}
    />
  )
}

/** The name, which leads to the form. */
export function PharmacyLink({ pharmacy, back }: PharmacyItemProps) {
  return (
    <PressedLink
      to={adminPharmacyPath(pharmacy.id)}
      state={back}
      className="rounded-sm font-medium wrap-anywhere underline-offset-4 hover:underline"
    >
      {pharmacy.name}
    </PressedLink>
  )
}

export function PharmacyMenu({ pharmacy, busy, back, onActive, onRemove }: PharmacyItemProps) {
  const link = { role: 'menuitem', tabIndex: -1, className: menuItemStyle() }
  return (
    <ItemMenu name={pharmacy.name} onRemove={onRemove}>
      <Link to={adminPharmacyPath(pharmacy.id)} state={back} {...link}>
        <Pencil aria-hidden />
        Modifica
      </Link>
      <Link to={adminMigrationPath(pharmacy.id)} {...link}>
        <DatabaseBackup aria-hidden />
        Migrazione ordini
      </Link>
      <MenuItem disabled={busy} onSelect={() => onActive(!pharmacy.is_active)}>
        <Power aria-hidden />
        {pharmacy.is_active ? 'Disattiva' : 'Attiva'}
      </MenuItem>
    </ItemMenu>
  )
}
