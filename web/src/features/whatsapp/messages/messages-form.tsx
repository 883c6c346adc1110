import {
  changeWhatsAppMessages,
  MAX_DAILY_LIMIT,
  MIN_DAILY_LIMIT,
  ReadyStatus,
  type WhatsAppMessages,
} from '@bancone/contract/whatsapp-messages'
import { zodResolver } from '@hookform/resolvers/zod'
import { Controller, useForm } from 'react-hook-form'
import { call } from '../../../lib/api.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useAction } from '../../../lib/use-action.ts'
import { NumberField } from '../../../ui/number-field.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { SettingForm } from '../../../ui/setting-form.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { toastSuccess } from '../../../ui/toast.ts'

const MAX = formatNumber(MAX_DAILY_LIMIT)

const chosenOf = ({
  readyStatus,
  sendsLinks,
  sendsCalls,
  saysTu,
  dailyLimit,
}: WhatsAppMessages) => ({
  readyStatus,
  sendsLinks,
  sendsCalls,
  saysTu,
  dailyLimit,
})

type MessagesFormProps = {
  messages: WhatsAppMessages
  hasPriority: boolean
  onSaved: (messages: WhatsAppMessages) => Promise<void>
}

/** What is sent, for the owners. */
export function MessagesForm({ messages, hasPriority, onSaved }: MessagesFormProps) {
  const { busy, failure, run } = useAction()
  const { control, handleSubmit, formState, reset } = useForm({
    resolver: zodResolver(changeWhatsAppMessages.body, {
      error: () => `Scrivi un numero da ${MIN_DAILY_LIMIT} a ${MAX}.`,
    }),
    // What a colleague has changed meanwhile appears, except where it was changed here too.
    values: chosenOf(messages),
    resetOptions: { keepDirtyValues: true },
  })
  const { errors } = formState

  const submit = handleSubmit((body) =>
    run(async () => {
      const saved = await call(changeWhatsAppMessages, { body })
      await onSaved(saved)
      reset(chosenOf(saved), { keepDirtyValues: false })
      toastSuccess('Messaggi salvati', { about: 'whatsapp-messages' })
    }),
  )

  const switchOf = (name: 'sendsLinks' | 'sendsCalls' | 'saysTu', label: string, hint: string) => (
    <Controller
      control={control}
      name={name}
      render={({ field: { value, onChange } }) => (
        <Switch label={label} hint={hint} checked={value} onChange={onChange} />
      )}
    />
  )

  return (
    <SettingForm
      aria-label="Che cosa inviare"
      className="border-t border-line pt-4"
      busy={busy}
      failure={failure}
      onSubmit={submit}
    >
      <Controller
        control={control}
        name="readyStatus"
        render={({ field: { value, onChange } }) => (
          <SelectField
            label="Avvisa da solo quando l'ordine diventa"
            hint="Solo ordini di prodotti in offerta che non sono medicinali né dispositivi. Gli altri si avvisano dal dettaglio dell'ordine."
            value={value ?? ''}
            onChange={({ target }) => onChange(target.value || null)}
          >
            <option value="">Mai: decido ordine per ordine</option>
            {ReadyStatus.options.map((status) => (
              <option key={status} value={status}>
                {status}
              </option>
            ))}
          </SelectField>
        )}
      />
      {hasPriority ? (
        <>
          {switchOf(
            'sendsLinks',
            'Link Priority',
            "Dal dettaglio dell'ordine il link si può mandare su WhatsApp.",
          )}
          {switchOf(
            'sendsCalls',
            'È il tuo turno',
            'Quando un banco chiama il cliente, lo legge anche su WhatsApp. Vale per tutti gli ordini: è chi chiama a deciderlo.',
          )}
        </>
      ) : null}
      {switchOf(
        'saysTu',
        'Dai del tu ai clienti',
        'Altrimenti del Lei. I testi cambiati partono quando Meta li ha approvati.',
      )}
      <Controller
        control={control}
        name="dailyLimit"
        render={({ field: { value, onChange } }) => (
          <NumberField
            label="Avvisi al giorno"
            hint={`Al massimo ${MAX}. Gli altri partono il giorno dopo.`}
            error={errors.dailyLimit?.message}
            value={value}
            onChange={onChange}
          />
        )}
      />
    </SettingForm>
  )
}
