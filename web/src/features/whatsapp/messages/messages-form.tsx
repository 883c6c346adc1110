import { OrderStatus } from '@bancone/contract/orders'
import {
  changeWhatsAppMessages,
  MAX_DAILY_LIMIT,
  MIN_DAILY_LIMIT,
  type WhatsAppMessages,
} from '@bancone/contract/whatsapp-messages'
import { useState } from 'react'
import { call } from '../../../lib/api.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useAction } from '../../../lib/use-action.ts'
import { Button } from '../../../ui/button.tsx'
import { FailureAlert } from '../../../ui/failure-alert.tsx'
import { NumberField } from '../../../ui/number-field.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { toastSuccess } from '../../../ui/toast.ts'

const ready = OrderStatus.exclude(['Annullato'])

type Chosen = Pick<WhatsAppMessages, 'readyStatus' | 'sendsLinks' | 'sendsCalls' | 'dailyLimit'>

type MessagesFormProps = {
  messages: WhatsAppMessages
  hasPriority: boolean
  onSaved: (messages: WhatsAppMessages) => Promise<void>
}

/** What is sent, for the owners. */
export function MessagesForm({ messages, hasPriority, onSaved }: MessagesFormProps) {
  const { readyStatus, sendsLinks, sendsCalls, dailyLimit } = messages
  const [chosen, setChosen] = useState<Chosen>({ readyStatus, sendsLinks, sendsCalls, dailyLimit })
  const { busy, failure, clearFailure, run } = useAction()
  const change = (changed: Partial<Chosen>) => setChosen({ ...chosen, ...changed })
  const isLimitValid =
    Number.isInteger(chosen.dailyLimit) &&
    chosen.dailyLimit >= MIN_DAILY_LIMIT &&
    chosen.dailyLimit <= MAX_DAILY_LIMIT

  return (
    <form
      noValidate
      aria-label="Che cosa inviare"
      className="flex flex-col gap-4 border-t border-line pt-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isLimitValid) return
        clearFailure()
        void run(async () => {
          await onSaved(await call(changeWhatsAppMessages, { body: chosen }))
          toastSuccess('Messaggi salvati', { about: 'whatsapp-messages' })
        })
      }}
    >
      <FailureAlert failure={failure} />
      <SelectField
        label="Avvisa da solo quando l'ordine diventa"
        hint="Solo ordini di prodotti in offerta che non sono medicinali né dispositivi. Gli altri si avvisano dal dettaglio dell'ordine."
        value={chosen.readyStatus ?? ''}
        onChange={({ target }) =>
          change({ readyStatus: target.value === '' ? null : ready.parse(target.value) })
        }
      >
        <option value="">Mai: decido ordine per ordine</option>
        {ready.options.map((status) => (
          <option key={status} value={status}>
            {status}
          </option>
        ))}
      </SelectField>
      {hasPriority ? (
        <>
          <Switch
            label="Link Priority"
            hint="Dal dettaglio dell'ordine il link si può mandare su WhatsApp."
            checked={chosen.sendsLinks}
            onChange={(is) => change({ sendsLinks: is })}
          />
          <Switch
            label="È il tuo turno"
            hint="Quando un banco chiama il cliente, lo legge anche su WhatsApp. Vale per tutti gli ordini: è chi chiama a deciderlo."
            checked={chosen.sendsCalls}
            onChange={(is) => change({ sendsCalls: is })}
          />
        </>
      ) : null}
      <NumberField
        label="Avvisi al giorno"
        hint={`Al massimo ${formatNumber(MAX_DAILY_LIMIT)}. Gli altri partono il giorno dopo.`}
        error={
          isLimitValid
            ? undefined
            : `Scrivi un numero da ${MIN_DAILY_LIMIT} a ${formatNumber(MAX_DAILY_LIMIT)}.`
        }
        value={chosen.dailyLimit}
        onChange={(value) => change({ dailyLimit: value })}
      />
      <Button type="submit" look="primary" className="self-start" inactive={busy}>
        {busy ? 'Salvataggio in corso…' : 'Salva'}
      </Button>
    </form>
  )
}
