import { adminMigrationPath } from '@bancone/contract/admin-pages'
import {
  type AdminPharmacy,
  type AirtableCheck,
  airtableIds,
  checkAirtable,
} from '@bancone/contract/admin-pharmacies'
import { PlugZap } from 'lucide-react'
import { Controller, useFormContext, useWatch } from 'react-hook-form'
import { Link } from 'react-router'
import { useEndpointMutation } from '../../../lib/endpoint-query.ts'
import { formFields } from '../../../lib/form-fields.ts'
import { errorMessage } from '../../../lib/messages.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button, buttonStyle } from '../../../ui/button.tsx'
import { cn } from '../../../ui/class-names.ts'
import { Switch } from '../../../ui/switch.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { useAdminPharmacies } from '../use-admin-pharmacies.ts'
import { FormSection } from './form-section.tsx'
import type { PharmacyDraft } from './pharmacy-draft.ts'

/** The hint of an id; it says so when the id does not look like one, which is not an error. */
function idHint(text: string, kind: 'base' | 'table'): string {
  const rule = `«${kind === 'base' ? 'app' : 'tbl'}» seguito da 14 lettere o numeri`
  const id = text.trim()
  return id === '' || airtableIds[kind].test(id)
    ? `Comincia con ${rule}.`
    : `Di solito è ${rule}: controllalo.`
}

/** Where the orders of the pharmacy are. @param pharmacyId null for a new one */
export function AirtableSection({ pharmacyId }: { pharmacyId: string | null }) {
  const form = useFormContext<PharmacyDraft>()
  const { control } = form
  const fieldProps = formFields(form)
  const [base, table, backup, name] = useWatch({
    control,
    name: ['airtable_base_id', 'airtable_table_id', 'use_supabase_orders', 'name'],
  })
  const sharers = useTableSharers({ id: pharmacyId, base, table })
  const id = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false }
  return (
    <FormSection
      title="Configurazione Airtable"
      intro="La tabella in cui la farmacia riceve gli ordini. Senza, gli ordini restano in Bancone."
    >
      <div className="grid gap-4 md:grid-cols-2">
        <TextField
          label="Airtable Base ID"
          {...id}
          hint={idHint(base, 'base')}
          {...fieldProps('airtable_base_id')}
        />
        <TextField
          label="Airtable Table ID"
          {...id}
          hint={idHint(table, 'table')}
          {...fieldProps('airtable_table_id')}
        />
      </div>
      <AirtableCheckButton base={base} table={table} />
      {sharers.length > 0 ? <Alert tone="notice">{sharedTableText(sharers, name)}</Alert> : null}
      <div className="flex flex-col gap-3 border-t border-line pt-4">
        <Controller
          control={control}
          name="use_supabase_orders"
          render={({ field }) => (
            <Switch
              label="Orders backup"
              hint="Attivo: ordini e analytics usano Supabase, e le modifiche vanno anche in Airtable finché la migrazione non lo lascia. Altrimenti usano Airtable."
              checked={field.value}
              onChange={field.onChange}
            />
          )}
        />
        {backup ? (
          <Alert tone="notice">
            Prima di attivarlo migra i dati: gli ordini che sono solo in Airtable non si vedrebbero.
          </Alert>
        ) : null}
        {pharmacyId === null ? null : (
          <Link to={adminMigrationPath(pharmacyId)} className={cn(buttonStyle({}), 'self-start')}>
            Apri la migrazione
          </Link>
        )}
      </div>
    </FormSection>
  )
}

const problems: Record<NonNullable<AirtableCheck['problem']>, string> = {
  not_configured: 'Manca un token per questa base.',
  wrong_token: 'Airtable non riconosce il token: è sbagliato, scaduto o revocato.',
  refused: 'Airtable ha rifiutato la richiesta: il token non può leggere questa base.',
  base_not_found: 'La base non esiste, o il token non la vede: controlla il Base ID.',
  table_not_found: 'Nella base non c’è questa tabella: controlla il Table ID.',
  unreachable: 'Airtable non risponde. Riprova tra poco.',
}

function foundText({ base, table }: AirtableCheck): string | null {
  const found = [base && `Base «${base}»`, table && `tabella «${table}»`].filter(Boolean)
  return found.length === 0 ? null : `${found.join(', ')}.`
}

function CheckResult({ check }: { check: AirtableCheck }) {
  const { problem, missingColumns } = check
  if (problem !== null) return <Alert tone="error">{problems[problem]}</Alert>
  const found = foundText(check)
  if (missingColumns.length === 0) {
    return (
      <Alert tone="done">
        <p className="font-medium">Connessione riuscita</p>
        <p className="wrap-anywhere">{found} Le colonne degli ordini ci sono tutte.</p>
      </Alert>
    )
  }
  return (
    <Alert tone="notice">
      <p className="font-medium">Connessione riuscita, ma nella tabella mancano delle colonne</p>
      {found ? <p className="wrap-anywhere">{found}</p> : null}
      <ul className="list-disc pl-4.5">
        {missingColumns.map((column) => (
          <li key={column}>{column}</li>
        ))}
      </ul>
    </Alert>
  )
}

/** Asks Airtable for the base and the table, and shows what it answers. */
function AirtableCheckButton({ base, table }: { base: string; table: string }) {
  const { mutate, data, error, isPending, variables } = useEndpointMutation(checkAirtable)
  const body = { airtable_base_id: base.trim(), airtable_table_id: table.trim() }
  const isMissing = body.airtable_base_id === '' || body.airtable_table_id === ''
  // A result is of the ids that it was asked for.
  const isCurrent =
    variables?.body.airtable_base_id === body.airtable_base_id &&
    variables.body.airtable_table_id === body.airtable_table_id
  return (
    <div className="flex flex-col gap-3">
      <Button
        className="self-start"
        inactive={isMissing || isPending}
        onClick={() => mutate({ body })}
      >
        <PlugZap aria-hidden />
        {isPending ? 'Prova in corso…' : 'Prova connessione'}
      </Button>
      {isCurrent && data ? <CheckResult check={data} /> : null}
      {isCurrent && error ? <Alert tone="error">{errorMessage(error)}</Alert> : null}
    </div>
  )
}

type Table = { id: string | null; base: string; table: string }

/** The other pharmacies with the same base and table. `id`: of this one, null for a new one. */
export function useTableSharers({ id, base, table }: Table): AdminPharmacy[] {
  const { data } = useAdminPharmacies()
  const [baseId, tableId] = [base.trim(), table.trim()]
  if (baseId === '' || tableId === '') return []
  return (data?.pharmacies ?? []).filter(
    (other) =>
      other.id !== id && other.airtable_base_id === baseId && other.airtable_table_id === tableId,
  )
}

/** What follows when several pharmacies have one table. */
export function sharedTableText(sharers: readonly AdminPharmacy[], name: string): string {
  const [first, ...others] = sharers.map((other) => `${other.name} (${other.pharmacy_id})`)
  const more =
    others.length === 0 ? '' : others.length === 1 ? ` e ${others[0]}` : ` e altre ${others.length}`
  const own = name.trim() === '' ? 'questa farmacia' : `«${name.trim()}»`
  const isSameName = sharers.some((other) => other.name.trim() === name.trim())
  const words = isSameName
    ? 'il suo codice o il suo telefono (il nome è uguale e non basta)'
    : 'il suo nome, il suo codice o il suo telefono'
  return `Questa tabella è già di ${first}${more}. Gli ordini di ${own} devono avere in PharmaWA ${words}; quelli che non nominano nessuna farmacia restano a chi li riceve già.`
}
