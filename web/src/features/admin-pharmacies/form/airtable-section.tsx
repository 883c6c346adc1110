import { adminMigrationPath } from '@bancone/contract/admin-pages'
import { airtableIds } from '@bancone/contract/admin-pharmacies'
import { Controller, useFormContext, useWatch } from 'react-hook-form'
import { Link } from 'react-router'
import { Alert } from '../../../ui/alert.tsx'
import { buttonStyle } from '../../../ui/button.tsx'
import { cn } from '../../../ui/class-names.ts'
import { Switch } from '../../../ui/switch.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { AirtableCheckButton } from './airtable-check.tsx'
import { FormSection } from './form-section.tsx'
import type { PharmacyDraft } from './pharmacy-draft.ts'
import { sharedTableText, useTableSharers } from './shared-table.tsx'

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
  const { control, register, formState } = useFormContext<PharmacyDraft>()
  const { errors } = formState
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
          error={errors.airtable_base_id?.message}
          {...register('airtable_base_id')}
        />
        <TextField
          label="Airtable Table ID"
          {...id}
          hint={idHint(table, 'table')}
          error={errors.airtable_table_id?.message}
          {...register('airtable_table_id')}
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
