import { zodResolver } from '@hookform/resolvers/zod'
import { Fragment, type ReactNode, useId, useState } from 'react'
import { useForm } from 'react-hook-form'
import type { z } from 'zod/mini'
import { formFields } from '../lib/form-fields.ts'
import { errorMessage } from '../lib/messages.ts'
import { useAction } from '../lib/use-action.ts'
import type { ModalProps } from '../lib/use-opened.ts'
import { ActionSheet, SheetForm } from './form-sheet.tsx'
import { TextField } from './text-field.tsx'

type Body = { name: string }

type MadeOnceSheetProps = ModalProps & {
  title: string
  body: z.ZodMiniType<Body, Body>
  nameProps: { hint: string; required?: boolean }
  maxLength: number
  /** Says that the name is missing. */
  missing: string
  /** Returns what is shown once, which must not be cached. */
  create: (body: Body) => Promise<string>
  /** The button that closes the sheet when it has been shown. */
  done: string
  /** @param hurried the user has tried to close the sheet in another way */
  children: (made: string, hurried: boolean) => ReactNode
}

/** Creates something by its name, and shows it once. */
export function MadeOnceSheet(props: MadeOnceSheetProps) {
  const { body, maxLength, missing, onClose } = props
  const id = useId()
  const { busy, failure, run } = useAction()
  const [made, setMade] = useState<string | null>(null)
  const [hurried, setHurried] = useState(0)
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(body, {
      error: ({ code }) => (code === 'too_big' ? `Al massimo ${maxLength} caratteri.` : missing),
    }),
    defaultValues: { name: '' },
  })
  const submit = handleSubmit((named) =>
    run(async () => setMade(await props.create(named)), errorMessage),
  )

  return (
    <ActionSheet
      title={props.title}
      confirm="Crea"
      confirming="Creazione in corso…"
      busy={busy}
      action={made === null ? id : null}
      other={{ label: made === null ? 'Chiudi' : props.done, onClick: onClose }}
      // What is closed by accident would be lost.
      onClose={made === null ? onClose : () => setHurried(hurried + 1)}
      onReturnFocus={props.onReturnFocus}
    >
      {made === null ? (
        <SheetForm id={id} failure={failure} onSubmit={submit}>
          <TextField
            label="Nome"
            autoComplete="off"
            {...props.nameProps}
            {...formFields({ register, formState })('name')}
          />
        </SheetForm>
      ) : (
        <Fragment key={hurried}>{props.children(made, hurried > 0)}</Fragment>
      )}
    </ActionSheet>
  )
}
