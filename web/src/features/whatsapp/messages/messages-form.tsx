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
import { errorMessage } from '../../../lib/messages.ts'
import { useFailure } from '../../../lib/use-failure.ts'
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
  const { failure, fail, clearFailure } = useFailure()
  const { control, handleSubmit, formState, reset } = useForm({
    resolver: zodResolver(changeWhatsAppMessages.body, {
      error: () => `Scrivi un numero da ${MIN_DAILY_LIMIT} a ${MAX}.`,
    }),
    // What a colleague has changed meanwhile appears, except where it was changed here too.
    values: chosenOf(messages),
    resetOptions: { keepDirtyValues: true },
  })
  const { errors, isSubmitting } = formState

  const submit = handleSubmit(async (body) => {
    clearFailure()
    try {
      const saved = await call(changeWhatsAppMessages, { body })
      await onSaved(saved)
      reset(chosenOf(saved), { keepDirtyValues: false })
      toastSuccess('Messaggi salvati', { about: 'whatsapp-messages' })
    } catch (error) {
      fail(errorMessage(error))
    }
  })

  return (
    <SettingForm
      aria-label="Che cosa inviare"
      className="border-t border-line pt-4"
      busy={isSubmitting}
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
          <Controller
            control={control}
            name="sendsLinks"
            render={({ field: { value, onChange } }) => (
              <Switch
                label="Link Priority"
                hint="Dal dettaglio dell'ordine il link si può mandare su WhatsApp."
                checked={value}
                onChange={onChange}
              />
            )}
          />
          <Controller
            control={control}
            name="sendsCalls"
            render={({ field: { value, onChange } }) => (
              <Switch
                label="È il tuo turno"
                hint="Quando un banco chiama il cliente, lo legge anche su WhatsApp. Vale per tutti gli ordini: è chi chiama a deciderlo."
                checked={value}
                onChange={onChange}
              />
            )}
          />
        </>
      ) : null}
      <Controller
        control={control}
        name="saysTu"
        render={({ field: { value, onChange } }) => (
          <Switch
            label="Dai del tu ai clienti"
            hint="Altrimenti del Lei. I testi cambiati partono quando Meta li ha approvati."
            checked={value}
            onChange={onChange}
          />
        )}
      />
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
