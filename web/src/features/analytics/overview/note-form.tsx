import { getAnalytics } from '@bancone/contract/analytics'
import {
  type AnalyticsNote,
  addAnalyticsNote,
  changeAnalyticsNote,
  MAX_NOTE_LENGTH,
} from '@bancone/contract/analytics-notes'
import { type Day, formatShortDay } from '@bancone/contract/dates'
import { zodResolver } from '@hookform/resolvers/zod'
import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect } from 'react'
import { useForm } from 'react-hook-form'
import { endpointKey, useEndpointMutation } from '../../../lib/endpoint-query.ts'
import { errorMessage } from '../../../lib/messages.ts'
import { useFailure } from '../../../lib/use-failure.ts'
import { useFocusFallback } from '../../../lib/use-focus-fallback.ts'
import { Button } from '../../../ui/button.tsx'
import { FailureAlert } from '../../../ui/failure-alert.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { toastSuccess } from '../../../ui/toast.ts'
import type { Days } from '../period/analytics-address.ts'

function noteMessage({
  code,
  path,
}: {
  code?: string | undefined
  path?: PropertyKey[] | undefined
}) {
  if (path?.[0] === 'day') return 'Scegli il giorno.'
  return code === 'too_big' ? `Al massimo ${MAX_NOTE_LENGTH} caratteri.` : 'Scrivi la nota.'
}

/** A note of another day is not in the list that follows. */
function savedText(day: Day, { dal, al }: Days): string {
  if (dal <= day && day <= al) return 'Nota salvata'
  return `Nota salvata: la vedi scegliendo un periodo con il ${formatShortDay(day)}`
}

type NoteFormProps = {
  /** Without `id` a new one. */
  note: Pick<AnalyticsNote, 'day' | 'text'> & { id?: string }
  /** The shown days. */
  period: Days
  focusFallback: RefObject<HTMLElement | null>
  onClose: () => void
}

/** Adds a note to a day, or changes one. */
export function NoteForm({ note, period, focusFallback, onClose }: NoteFormProps) {
  const { id, day, text } = note
  const place = useFocusFallback(focusFallback)
  const client = useQueryClient()
  const adding = useEndpointMutation(addAnalyticsNote)
  const changing = useEndpointMutation(changeAnalyticsNote)
  const { failure, fail, clearFailure } = useFailure()
  const form = useForm({
    resolver: zodResolver(addAnalyticsNote.body, { error: noteMessage }),
    defaultValues: { day, text },
  })
  const { setFocus } = form
  const { errors, isSubmitting } = form.formState
  useEffect(() => setFocus('text'), [setFocus])

  const submit = form.handleSubmit(async (body) => {
    clearFailure()
    try {
      const saved =
        id === undefined
          ? await adding.mutateAsync({ body })
          : await changing.mutateAsync({ params: { analyticsNoteId: id }, body })
      await client.invalidateQueries({ queryKey: endpointKey(getAnalytics) })
      toastSuccess(savedText(saved.day, period), { about: 'analytics-note' })
      onClose()
    } catch (error) {
      fail(errorMessage(error))
    }
  })

  return (
    <div ref={place}>
      <form
        noValidate
        aria-label={id === undefined ? 'Nuova nota' : 'Modifica nota'}
        onSubmit={submit}
        className="flex flex-col gap-3 rounded-control bg-sunken p-3"
      >
        <FailureAlert failure={failure} />
        <div className="flex flex-wrap items-start gap-3">
          <TextField
            type="date"
            label="Giorno"
            className="max-sm:w-full"
            error={errors.day?.message}
            {...form.register('day')}
          />
          <TextField
            label="Nota"
            hint="Per esempio: volantino nelle buche, saldi, chiusi per ferie."
            className="min-w-0 flex-1 basis-60"
            autoComplete="off"
            error={errors.text?.message}
            {...form.register('text')}
          />
        </div>
        <div className="flex flex-wrap gap-2 sm:justify-end">
          <Button onClick={onClose}>Chiudi</Button>
          <Button type="submit" look="primary" inactive={isSubmitting}>
            {isSubmitting ? 'Salvataggio in corso…' : id === undefined ? 'Aggiungi' : 'Salva'}
          </Button>
        </div>
      </form>
    </div>
  )
}
