import { OrderStatus } from '@bancone/contract/orders'
import {
  changePrioritySettings,
  getPrioritySettings,
  PRIORITY_MESSAGE_LENGTH,
  PrioritySettings,
} from '@bancone/contract/priority'
import { zodResolver } from '@hookform/resolvers/zod'
import { useQueryClient } from '@tanstack/react-query'
import { useForm, useWatch } from 'react-hook-form'
import { updateCached, useEndpointMutation } from '../../../lib/endpoint-query.ts'
import { errorMessage } from '../../../lib/messages.ts'
import { useBeforeUnloadPrompt } from '../../../lib/use-before-unload-prompt.ts'
import { useFailure } from '../../../lib/use-failure.ts'
import { Button } from '../../../ui/button.tsx'
import { FailureAlert } from '../../../ui/failure-alert.tsx'
import { NumberField } from '../../../ui/number-field.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { TextArea } from '../../../ui/text-area.tsx'
import { toastSuccess } from '../../../ui/toast.ts'
import { settingsMessage } from './settings-texts.ts'

/** A cancelled order has no visit. */
const issuing = OrderStatus.options.filter((status) => status !== 'Annullato')

/** How the pharmacy uses priority access, for its owners. */
export function SettingsForm({ settings }: { settings: PrioritySettings }) {
  const client = useQueryClient()
  const { mutateAsync } = useEndpointMutation(changePrioritySettings)
  const { failure, fail, clearFailure } = useFailure()
  const form = useForm({
    resolver: zodResolver(PrioritySettings, { error: settingsMessage }),
    defaultValues: settings,
  })
  const { control, formState, setValue } = form
  const { errors, isDirty, isSubmitted, isSubmitting } = formState
  const [linkDays, lateMinutes, issueOnStatus, message] = useWatch({
    control,
    name: ['linkDays', 'lateMinutes', 'issueOnStatus', 'message'],
  })
  useBeforeUnloadPrompt(isDirty)

  function set<Name extends keyof PrioritySettings>(name: Name, value: PrioritySettings[Name]) {
    // Both sides have the same name, which the types of the library cannot follow.
    setValue<keyof PrioritySettings>(name, value, {
      shouldDirty: true,
      shouldValidate: isSubmitted,
    })
  }

  const submit = form.handleSubmit(async (body) => {
    clearFailure()
    try {
      const saved = await mutateAsync({ body })
      form.reset(saved)
      await updateCached(client, getPrioritySettings, () => saved)
      toastSuccess('Impostazioni salvate', { about: 'priority-settings' })
    } catch (error) {
      fail(errorMessage(error))
    }
  })

  return (
    <form
      noValidate
      aria-label="Impostazioni"
      onSubmit={submit}
      className="flex flex-col gap-4 rounded-card border border-line bg-surface p-4 md:p-5"
    >
      <FailureAlert failure={failure} />
      <div className="grid gap-4 sm:grid-cols-2">
        <NumberField
          label="Giorni di validità del link"
          hint="Un link finisce comunque con il suo ordine."
          error={errors.linkDays?.message}
          value={linkDays}
          onChange={(days) => set('linkDays', days)}
        />
        <NumberField
          label="Minuti dopo i quali un cliente è in ritardo"
          hint="Da allora l'attesa è evidenziata al banco."
          error={errors.lateMinutes?.message}
          value={lateMinutes}
          onChange={(minutes) => set('lateMinutes', minutes)}
        />
      </div>
      <SelectField
        label="Crea il link da solo"
        hint="Quando un ordine prende questo stato. Il messaggio lo mandi comunque tu."
        value={issueOnStatus ?? ''}
        onChange={({ target }) =>
          set('issueOnStatus', issuing.find((status) => status === target.value) ?? null)
        }
      >
        <option value="">Mai</option>
        {issuing.map((status) => (
          <option key={status}>{status}</option>
        ))}
      </SelectField>
      <TextArea
        label="Messaggio WhatsApp"
        hint="{link} diventa il link del cliente, {farmacia} il nome della farmacia. Non scrivere prodotti."
        maxCharacters={PRIORITY_MESSAGE_LENGTH}
        error={errors.message?.message}
        value={message}
        onChange={({ target }) => set('message', target.value)}
      />
      <div>
        <Button type="submit" look="primary" inactive={isSubmitting}>
          {isSubmitting ? 'Salvataggio in corso…' : 'Salva'}
        </Button>
      </div>
    </form>
  )
}
