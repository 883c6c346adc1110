import {
  changeOrderRetention,
  getOrderRetention,
  type OwnOrderRetention,
  previewOwnOrderRetention,
} from '@bancone/contract/order-retention'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { call, hasCode } from '../../lib/api.ts'
import { endpointKey, useEndpoint } from '../../lib/endpoint-query.ts'
import {
  retentionExceptions,
  retentionIntro,
  retentionLoss,
  retentionPeriod,
} from '../../lib/order-retention-texts.ts'
import { problemText, useAction } from '../../lib/use-action.ts'
import { Alert } from '../../ui/alert.tsx'
import { CardSection } from '../../ui/card-section.tsx'
import { QueryStates } from '../../ui/query-states.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { SettingForm } from '../../ui/setting-form.tsx'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import { toastSuccess } from '../../ui/toast.ts'

type Days = OwnOrderRetention['orderDays']

/** What the user has chosen, with what the page showed at that moment. */
type Choice = { orderDays: Days; seen: Pick<OwnOrderRetention, 'orderDays' | 'platformDays'> }

function choiceOf(orderDays: Days, { orderDays: saved, platformDays }: OwnOrderRetention): Choice {
  return { orderDays, seen: { orderDays: saved, platformDays } }
}

type Asked = { choice: Choice; text: string }

const offered = [30, 60, 90, 180, 365, 730]

/** The value of an option. */
const optionOf = (days: Days) => String(days ?? '')

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function RetentionForm({ loaded }: { loaded: OwnOrderRetention }) {
  const client = useQueryClient()
  const [choice, setChoice] = useState<Choice | null>(null)
  const [asked, setAsked] = useState<Asked | null>(null)
  const { busy, failure, fail, clearFailure, run } = useAction()
  const select = useRef<HTMLSelectElement>(null)
  const own = loaded.orderDays === null ? [] : [loaded.orderDays]
  const days = [...new Set([...offered, ...own])].sort((a, b) => a - b)

  function choose(orderDays: Days) {
    clearFailure()
    const isSaved = orderDays === loaded.orderDays
    setChoice(
      isSaved ? null : { ...choiceOf(orderDays, loaded), ...(choice && { seen: choice.seen }) },
    )
  }

  async function save(body: Choice) {
    const queryKey = endpointKey(getOrderRetention, {})
    try {
      const saved = await call(changeOrderRetention, { body })
      client.setQueryData(queryKey, saved)
      // Another one that was chosen meanwhile is not saved.
      setChoice((now) =>
        now && now.orderDays !== saved.orderDays ? choiceOf(now.orderDays, saved) : null,
      )
      toastSuccess('Durata salvata')
    } catch (error) {
      if (hasCode(error, 'order_retention.changed_meanwhile')) {
        // In the form, where the current value is seen: the dialog covers it.
        setChoice(null)
        setAsked(null)
        fail(problemText(error))
        await client.invalidateQueries({ queryKey })
      }
      throw error
    }
  }

  async function submit() {
    if (!choice) return
    await run(async () => {
      const orderDays = choice.orderDays ?? choice.seen.platformDays
      if (orderDays === null) return save(choice)
      const { orders } = await call(previewOwnOrderRetention, { query: { orderDays } })
      if (orders === 0) await save(choice)
      else setAsked({ choice, text: retentionLoss(orderDays, orders) })
    })
  }

  return (
    <SettingForm
      submit="Salva la durata"
      busy={busy}
      notYet={!choice}
      failure={failure}
      loss={
        asked && {
          title: 'Eliminare i dati dei clienti?',
          text: asked.text,
          onConfirm: () => save(asked.choice),
          onClose() {
            setAsked(null)
            setChoice(null)
          },
          onReturnFocus: () => select.current?.focus(),
        }
      }
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      {loaded.isOnAirtable ? (
        <Alert tone="notice">
          I tuoi ordini sono in Airtable, e i loro dati li elimini tu, lì. La durata vale per gli
          ordini che non sono in Airtable.
        </Alert>
      ) : null}
      <SelectField
        ref={select}
        label="Quando si eliminano"
        className="md:max-w-80"
        value={optionOf(choice ? choice.orderDays : loaded.orderDays)}
        onChange={({ target }) => choose(target.value === '' ? null : Number(target.value))}
      >
        <option value="">Come la piattaforma: {retentionPeriod(loaded.platformDays)}</option>
        {days.map((each) => (
          <option key={each} value={optionOf(each)}>
            {capitalized(retentionPeriod(each))}
          </option>
        ))}
      </SelectField>
      <p className="text-sm text-pretty text-muted">
        {retentionExceptions} Per un reclamo o una causa, blocca l'eliminazione nei dettagli
        dell'ordine.
      </p>
    </SettingForm>
  )
}

/** For how long the pharmacy's orders keep the data of their customers. */
export function RetentionSection() {
  const query = useEndpoint(getOrderRetention, {})
  return (
    <CardSection
      title="Dati dei clienti negli ordini"
      intro={retentionIntro}
      className="print:hidden"
    >
      <QueryStates
        query={query}
        otherwise="Non è stato possibile leggere la durata. Riprova."
        skeleton={
          <Loading>
            <Skeleton shape="control" className="h-12 md:max-w-80" />
          </Loading>
        }
      >
        {(loaded) => <RetentionForm loaded={loaded} />}
      </QueryStates>
    </CardSection>
  )
}
