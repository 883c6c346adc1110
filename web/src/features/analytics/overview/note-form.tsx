import { addAnalyticsNote, getAnalytics, MAX_NOTE_LENGTH } from '@bancone/contract/analytics'
import type { Day } from '@bancone/contract/dates'
import { zodResolver } from '@hookform/resolvers/zod'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useForm } from 'react-hook-form'
import { endpointKey, useEndpointMutation } from '../../../lib/endpoint-query.ts'
import { errorMessage } from '../../../lib/messages.ts'
import { useFailure } from '../../../lib/use-failure.ts'
import { Button } from '../../../ui/button.tsx'
import { FailureAlert } from '../../../ui/failure-alert.tsx'
import { TextField } from '../../../ui/text-field.tsx'

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

type NoteFormProps = { start: Day; onClose: () => void }

/** Adds a note to a day. */
export function NoteForm({ start, onClose }: NoteFormProps) {
  const client = useQueryClient()
  const { mutateAsync } = useEndpointMutation(addAnalyticsNote)
  const { failure, fail, clearFailure } = useFailure()
  const form = useForm({
    resolver: zodResolver(addAnalyticsNote.body, { error: noteMessage }),
    defaultValues: { day: start, text: '' },
  })
  const { setFocus } = form
  const { errors, isSubmitting } = form.formState
  useEffect(() => setFocus('text'), [setFocus])

  const submit = form.handleSubmit(async (body) => {
    clearFailure()
    try {
      await mutateAsync({ body })
      // The note may be of a day outside the shown period.
      await client.invalidateQueries({ queryKey: endpointKey(getAnalytics) })
      onClose()
    } catch (error) {
      fail(errorMessage(error))
    }
  })

  return (
    <form
      noValidate
      aria-label="Nuova nota"
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
          {isSubmitting ? 'Salvataggio in corso…' : 'Aggiungi'}
        </Button>
      </div>
    </form>
  )
}
