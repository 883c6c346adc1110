import { zodResolver } from '@hookform/resolvers/zod'
import { Fragment, type ReactNode, useEffect, useId, useState } from 'react'
import { useForm } from 'react-hook-form'
import type { z } from 'zod/mini'
import { errorMessage } from '../lib/messages.ts'
import { useAction } from '../lib/use-action.ts'
import { Button } from './button.tsx'
import { FailureAlert } from './failure-alert.tsx'
import { Sheet } from './sheet.tsx'
import { TextField } from './text-field.tsx'

type Body = { name: string }

type NameFormProps = {
  body: z.ZodMiniType<Body, Body>
  nameProps: { hint: string; required?: boolean }
  maxLength: number
  /** Says that the name is missing. */
  missing: string
  /** Returns what is shown once, which must not be cached. */
  create: (body: Body) => Promise<string>
}

type MadeOnceSheetProps = NameFormProps & {
  title: string
  /** The button that closes the sheet when it has been shown. */
  done: string
  /** @param hurried the user has tried to close the sheet in another way */
  children: (made: string, hurried: boolean) => ReactNode
  onClose: () => void
  onReturnFocus: () => void
}

/** Creates something by its name, and shows it once. */
export function MadeOnceSheet(props: MadeOnceSheetProps) {
  const { onClose } = props
  const id = useId()
  const action = useAction()
  const [made, setMade] = useState<string | null>(null)
  const [hurried, setHurried] = useState(0)

  return (
    <Sheet
      title={props.title}
      closeLabel="Chiudi la finestra"
      footer={
        <>
          <Button className="flex-1" onClick={onClose}>
            {made === null ? 'Chiudi' : props.done}
          </Button>
          {made === null ? (
            <Button
              type="submit"
              form={id}
              look="primary"
              className="flex-1"
              inactive={action.busy}
            >
              {action.busy ? 'Creazione in corso…' : 'Crea'}
            </Button>
          ) : null}
        </>
      }
      // What is closed by accident would be lost.
      onClose={made === null ? onClose : () => setHurried(hurried + 1)}
      onReturnFocus={props.onReturnFocus}
    >
      {made === null ? (
        <NameForm {...props} id={id} action={action} onMade={setMade} />
      ) : (
        <Fragment key={hurried}>{props.children(made, hurried > 0)}</Fragment>
      )}
    </Sheet>
  )
}

function NameForm({
  id,
  action,
  onMade,
  ...props
}: NameFormProps & {
  id: string
  action: ReturnType<typeof useAction>
  onMade: (made: string) => void
}) {
  const { body, nameProps, maxLength, missing, create } = props
  const { register, handleSubmit, formState, setFocus } = useForm({
    resolver: zodResolver(body, {
      error: ({ code }) => (code === 'too_big' ? `Al massimo ${maxLength} caratteri.` : missing),
    }),
    defaultValues: { name: '' },
  })
  useEffect(() => setFocus('name'), [setFocus])
  const submit = handleSubmit((named) =>
    action.run(async () => onMade(await create(named)), errorMessage),
  )
  return (
    <form id={id} noValidate onSubmit={submit} className="flex flex-col gap-4">
      <FailureAlert failure={action.failure} />
      <TextField
        label="Nome"
        autoComplete="off"
        {...nameProps}
        error={formState.errors.name?.message}
        {...register('name')}
      />
    </form>
  )
}
