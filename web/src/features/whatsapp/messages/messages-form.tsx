import {
  changeWhatsAppMessages,
  MAX_DAILY_LIMIT,
  MAX_MESSAGE_PRICE,
  MAX_MONTHLY_LIMIT,
  MIN_DAILY_LIMIT,
  type WhatsAppMessages,
} from '@bancone/contract/whatsapp-messages'
import { zodResolver } from '@hookform/resolvers/zod'
import { Controller, useForm } from 'react-hook-form'
import { call } from '../../../lib/api.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useAction } from '../../../lib/use-action.ts'
import { NumberField } from '../../../ui/number-field.tsx'
import { NumberLimitField } from '../../../ui/number-limit-field.tsx'
import { SettingForm } from '../../../ui/setting-form.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { toastSuccess } from '../../../ui/toast.ts'

const MAX = formatNumber(MAX_DAILY_LIMIT)

/** The number to start from when a limit is set. */
const FIRST_MONTHLY_LIMIT = 500

const chosenOf = ({
  announcesReady,
  sendsReminders,
  answersClosed,
  sendsLinks,
  sendsCalls,
  saysTu,
  dailyLimit,
  monthlyLimit,
  messagePrice,
}: WhatsAppMessages) => ({
  announcesReady,
  sendsReminders,
  answersClosed,
  sendsLinks,
  sendsCalls,
  saysTu,
  dailyLimit,
  monthlyLimit,
  messagePrice,
})

const fieldErrors: Record<string, string> = {
  dailyLimit: `Scrivi un numero da ${MIN_DAILY_LIMIT} a ${MAX}.`,
  monthlyLimit: `Scrivi un numero da 0 a ${formatNumber(MAX_MONTHLY_LIMIT)}.`,
  messagePrice: `Scrivi un prezzo da 0 a ${MAX_MESSAGE_PRICE} euro, con quattro decimali al massimo.`,
}

/** The settings that are switches. */
type SwitchName = {
  [Name in keyof WhatsAppMessages]: WhatsAppMessages[Name] extends boolean ? Name : never
}[keyof ReturnType<typeof chosenOf>]

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
      error: ({ path }) => fieldErrors[String(path?.[0])],
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

  const switchOf = (name: SwitchName, label: string, hint: string) => (
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
      {switchOf(
        'announcesReady',
        "Avvisa quando l'ordine è pronto",
        'Mezzo minuto dopo «Pronto», se il cliente lo vuole. Solo ordini di prodotti in offerta che non sono medicinali né dispositivi: gli altri si avvisano dal dettaglio.',
      )}
      {switchOf(
        'sendsReminders',
        'Ricorda gli ordini non ritirati',
        'La mattina, due volte al massimo per ordine, con le stesse regole.',
      )}
      {switchOf(
        'answersClosed',
        'Rispondi agli ordini quando sei chiuso',
        messages.hasOpeningHours
          ? 'Una volta sola finché non riapri: il numero della richiesta e quando apri.'
          : 'Una volta sola finché non riapri. Servono gli orari di apertura nel profilo, che mancano ancora.',
      )}
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
      <Controller
        control={control}
        name="messagePrice"
        render={({ field: { value, onChange } }) => (
          <NumberField
            label="Prezzo di un messaggio (€)"
            hint="Quello che Meta chiede per un messaggio di utilità in Italia, IVA esclusa. Lo trovi nel listino di Meta."
            error={errors.messagePrice?.message}
            decimals
            value={value ?? ''}
            onChange={onChange}
            onText={(text) => onChange(text.trim() === '' ? null : text)}
          />
        )}
      />
      <Controller
        control={control}
        name="monthlyLimit"
        render={({ field: { value, onChange } }) => (
          <NumberLimitField
            label="Messaggi a pagamento al mese"
            hint="Raggiunto il limite niente parte da solo: quello che invii tu parte sempre."
            unlimited="Senza limite"
            initial={FIRST_MONTHLY_LIMIT}
            error={errors.monthlyLimit?.message}
            value={value}
            onChange={onChange}
          />
        )}
      />
    </SettingForm>
  )
}
