import type { DryRunResult } from '@bancone/contract/migration-results'
import { OrderStatus } from '@bancone/contract/orders'
import { DatabaseBackup } from 'lucide-react'
import { useState } from 'react'
import { z } from 'zod'
import { Button } from '../../../ui/button.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import type { StatusMapping } from '../migration-dialog.tsx'
import { orderCount } from '../migration-texts.ts'

/** Empty: the status stays. */
const Choice = OrderStatus.or(z.literal('')).catch('')
type Choice = z.infer<typeof Choice>

type AfterDryRunProps = {
  unknown: DryRunResult['unknownStatuses']
  /** Whether a migration can start now. */
  canMigrate: boolean
  onMigrate: (mapping: StatusMapping, opener: HTMLElement) => void
}

/** What is to become of statuses that are none of the five, and the migration that does it. */
export function AfterDryRun({ unknown, canMigrate, onMigrate }: AfterDryRunProps) {
  const [chosen, setChosen] = useState<Readonly<Record<string, Choice>>>(() =>
    Object.fromEntries(unknown.map(({ status, proposed }) => [status, proposed])),
  )

  function mapping(): StatusMapping {
    const known: Record<string, OrderStatus> = {}
    for (const [status, to] of Object.entries(chosen)) if (to !== '') known[status] = to
    return known
  }

  return (
    <>
      {unknown.length > 0 ? (
        <fieldset className="flex flex-col gap-3">
          <legend className="text-base font-medium">Stati sconosciuti</legend>
          <p className="text-sm text-pretty text-muted">
            Questi stati non sono tra i cinque di Bancone. Scegli che cosa diventano con la
            migrazione: cambiano qui e in Airtable.
          </p>
          <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
            {unknown.map(({ status, orders }) => (
              <SelectField
                key={status}
                label={`«${status}»`}
                hint={orderCount(orders)}
                value={chosen[status] ?? ''}
                onChange={({ target }) =>
                  setChosen({ ...chosen, [status]: Choice.parse(target.value) })
                }
              >
                {OrderStatus.options.map((option) => (
                  <option key={option} value={option}>
                    {option}
                  </option>
                ))}
                <option value="">Lascia com'è</option>
              </SelectField>
            ))}
          </div>
        </fieldset>
      ) : null}
      <Button
        className="self-start"
        look={unknown.length > 0 ? 'primary' : 'secondary'}
        aria-haspopup="dialog"
        inactive={!canMigrate}
        onClick={({ currentTarget }) => onMigrate(mapping(), currentTarget)}
      >
        <DatabaseBackup aria-hidden />
        {unknown.length > 0 ? 'Migra con questi stati' : 'Migra ora'}
      </Button>
    </>
  )
}
