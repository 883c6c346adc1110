import { OrderStatus } from '@bancone/contract/orders'
import {
  changePrioritySettings,
  getPrioritySettings,
  PRIORITY_MESSAGE_LENGTH,
  PrioritySettings,
} from '@bancone/contract/priority'
import { zodResolver } from '@hookform/resolvers/zod'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { z } from 'zod/mini'
import { readFormDraft, saveDraft } from '../../../lib/drafts.ts'
import { updateCached, useEndpointMutation } from '../../../lib/endpoint-query.ts'
import { formFields } from '../../../lib/form-fields.ts'
import { useAction } from '../../../lib/use-action.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { SettingForm } from '../../../ui/setting-form.tsx'
import { TextArea } from '../../../ui/text-area.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { toastSuccess } from '../../../ui/toast.ts'

/** A cancelled order has no session. */
const issuing = OrderStatus.options.filter((status) => status !== 'Annullato')

/** How the pharmacy uses priority access, for its owners. */
export function SettingsForm({ settings }: { settings: PrioritySettings }) {
  const client = useQueryClient()
  const { mutateAsync } = useEndpointMutation(changePrioritySettings)
  const { busy, failure, run } = useAction()
  /** What is stored, as far as this form knows. */
  const [base, setBase] = useState(() => inputOf(settings))
  /** What was typed in this tab and not saved. */
  const [draft] = useState(() => readFormDraft(DRAFT, Draft))
  const [restored, setRestored] = useState(draft !== null)
  const form = useForm({
    resolver: zodResolver(SettingsInput, { error: settingsMessage }),
    defaultValues: draft ?? base,
  })
  const { control, reset } = form
  const field = formFields(form)
  const input = useWatch({ control, compute: (values: SettingsInput) => values })
  const unsaved = JSON.stringify({ ...base, ...input }) !== JSON.stringify(base)
  useEffect(() => saveSettingsDraft(unsaved ? input : null), [unsaved, input])

  function discard() {
    reset(base)
    setRestored(false)
  }

  const submit = form.handleSubmit((body) =>
    run(async () => {
      const saved = await mutateAsync({ body })
      reset(inputOf(saved))
      setBase(inputOf(saved))
      setRestored(false)
      await updateCached(client, getPrioritySettings, () => saved)
      toastSuccess('Impostazioni salvate', { about: 'priority-settings' })
    }),
  )

  return (
    <SettingForm
      aria-label="Impostazioni"
      className="rounded-card border border-line bg-surface p-4 md:p-5"
      busy={busy}
      failure={failure}
      leave={{
        unsaved,
        title: 'Modifiche non salvate',
        text: 'Se lasci questa pagina, quello che hai cambiato si perde.',
        leave: 'Lascia senza salvare',
        onDiscard() {
          discard()
          saveSettingsDraft(null)
        },
      }}
      onSubmit={submit}
    >
      {restored ? (
        <Alert
          tone="notice"
          action={
            <Button
              size="small"
              onClick={() => {
                discard()
                form.setFocus('linkDays')
              }}
            >
              Scarta
            </Button>
          }
        >
          Abbiamo ritrovato le modifiche che non avevi salvato.
        </Alert>
      ) : null}
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Giorni di validità del link"
          hint="Un link finisce comunque con il suo ordine."
          inputMode="numeric"
          autoComplete="off"
          {...field('linkDays')}
        />
        <TextField
          label="Minuti dopo i quali un'attesa è lunga"
          hint="Da allora al banco si legge «Attende da molto»."
          inputMode="numeric"
          autoComplete="off"
          {...field('lateMinutes')}
        />
      </div>
      <SelectField
        label="Crea il link da solo"
        hint="Quando un ordine prende questo stato. Il messaggio lo mandi comunque tu."
        {...field('issueOnStatus')}
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
        {...field('message')}
        value={input.message}
      />
    </SettingForm>
  )
}

const DRAFT = 'priority-settings'
const { linkDays, lateMinutes, issueOnStatus, message } = PrioritySettings.shape

function whole(unit: 'giorni' | 'minuti') {
  return z.pipe(
    z
      .string()
      .check(
        z.trim(),
        z.minLength(1, `Scrivi un numero di ${unit}.`),
        z.regex(/^\d+$/, `Scrivi un numero intero di ${unit}, senza virgola e senza lettere.`),
      ),
    z.transform(Number),
  )
}

/** The form as typed, and the settings that it gives. */
export const SettingsInput = z.object({
  linkDays: z.pipe(whole('giorni'), linkDays),
  lateMinutes: z.pipe(whole('minuti'), lateMinutes),
  /** Empty for none. */
  issueOnStatus: z.pipe(
    z.pipe(
      z.string(),
      z.transform((status) => status || null),
    ),
    issueOnStatus,
  ),
  message,
})
type SettingsInput = z.input<typeof SettingsInput>

function inputOf(settings: PrioritySettings): SettingsInput {
  return {
    linkDays: String(settings.linkDays),
    lateMinutes: String(settings.lateMinutes),
    issueOnStatus: settings.issueOnStatus ?? '',
    message: settings.message,
  }
}

const Draft = z.object({
  linkDays: z.string(),
  lateMinutes: z.string(),
  issueOnStatus: z.string(),
  message: z.string(),
})

/** @param input null for nothing */
function saveSettingsDraft(input: SettingsInput | null) {
  saveDraft(DRAFT, input === null ? '' : JSON.stringify(input))
}

const ranges: Record<string, string> = {
  linkDays: 'Scegli un numero di giorni da 1 a 30.',
  lateMinutes: 'Scegli un numero di minuti da 1 a 120.',
}

type Issue = { path?: PropertyKey[] | undefined; code?: string | undefined }

/** The text of an error that the schema of the contract finds. */
function settingsMessage({ path = [], code }: Issue): string {
  const field = String(path[0])
  if (field !== 'message') return ranges[field] ?? 'Controlla questo campo.'
  return code === 'too_big'
    ? `Al massimo ${PRIORITY_MESSAGE_LENGTH} caratteri.`
    : 'Il testo deve contenere {link}: al suo posto il cliente riceve il link.'
}
