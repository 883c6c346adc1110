import {
  changePickupSettings,
  getPickupSettings,
  type PickupSettings,
  ReadyStatus,
} from '@bancone/contract/order-pickup'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api.ts'
import { endpointKey, useEndpoint } from '../../lib/endpoint-query.ts'
import { useAction } from '../../lib/use-action.ts'
import { CardSection } from '../../ui/card-section.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { QueryStates } from '../../ui/query-states.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { SettingForm } from '../../ui/setting-form.tsx'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import { toastSuccess } from '../../ui/toast.ts'
import { PickupColumns } from './pickup-columns.tsx'

/** When the orders of the pharmacy are ready for their customers. */
export function PickupPage() {
  const query = useEndpoint(getPickupSettings, {})
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-col gap-4 md:gap-5">
      <PageTitle>Ritiro</PageTitle>
      <CardSection
        title="Quando un ordine è pronto"
        intro="Un ordine pronto si conta in «Da ritirare» finché non è ritirato. Lo stato dell'ordine resta quello che è, anche in Airtable."
      >
        <QueryStates
          query={query}
          otherwise="Non è stato possibile leggere le impostazioni. Riprova."
          skeleton={
            <Loading>
              <Skeleton shape="control" className="h-12 md:max-w-96" />
            </Loading>
          }
        >
          {(saved) => <ReadyForm saved={saved} />}
        </QueryStates>
      </CardSection>
      <PickupColumns />
    </div>
  )
}

function ReadyForm({ saved }: { saved: PickupSettings }) {
  const client = useQueryClient()
  const [chosen, setChosen] = useState<PickupSettings | null>(null)
  const { busy, failure, run } = useAction()
  const settings = chosen ?? saved
  const { readyStatus, overdueDays } = settings

  async function save(body: PickupSettings) {
    client.setQueryData(
      endpointKey(getPickupSettings, {}),
      await call(changePickupSettings, { body }),
    )
    setChosen(null)
    toastSuccess('Impostazioni salvate')
  }

  return (
    <SettingForm
      busy={busy}
      notYet={readyStatus === saved.readyStatus && overdueDays === saved.overdueDays}
      failure={failure}
      onSubmit={(event) => {
        event.preventDefault()
        if (chosen) void run(() => save(chosen))
      }}
    >
      <SelectField
        label="È pronto"
        className="md:max-w-96"
        value={readyStatus ?? ''}
        onChange={({ target }) =>
          setChosen({
            ...settings,
            readyStatus: ReadyStatus.options.find((status) => status === target.value) ?? null,
          })
        }
      >
        <option value="">Solo quando premi «Pronto»</option>
        {ReadyStatus.options.map((status) => (
          <option key={status} value={status}>
            Anche quando diventa «{status}»
          </option>
        ))}
      </SelectField>
      <p className="text-sm text-pretty text-muted">
        Vale per gli stati cambiati da ora in poi, qui o in Airtable. Se lo stato torna indietro,
        l'ordine non è più pronto.
      </p>
      <SelectField
        label="Non ritirato"
        className="md:max-w-96"
        value={overdueDays}
        onChange={({ target }) => setChosen({ ...settings, overdueDays: Number(target.value) })}
      >
        {[...new Set([1, 2, 3, 5, 7, 14, 30, saved.overdueDays])]
          .sort((a, b) => a - b)
          .map((days) => (
            <option key={days} value={days}>
              {days === 1 ? 'Dal giorno dopo' : `Dopo ${days} giorni`}
            </option>
          ))}
      </SelectField>
      <p className="text-sm text-pretty text-muted">
        Da allora l'ordine pronto è in «Non ritirati», finché non lo ritirano, lo rimetti a posto o
        lo tieni fino a un altro giorno.
      </p>
    </SettingForm>
  )
}
