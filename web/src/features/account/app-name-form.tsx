import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'

const LONGEST = 40

function appName(names: readonly string[]) {
  const taken = new Set(names.map((name) => name.toLowerCase()))
  return z.object({
    name: z
      .string()
      .trim()
      .min(1, "Dai un nome all'app.")
      .max(LONGEST, `Al massimo ${LONGEST} caratteri.`)
      .refine(
        (name) => !taken.has(name.toLowerCase()),
        "Hai già collegato un'app con questo nome: scegline un altro.",
      ),
  })
}

type AppNameFormProps = {
  /** Names of the existing apps. */
  names: readonly string[]
  first: string
  /** The service's objection to the name. */
  error: string | undefined
  onNamed: (name: string) => void
  onCancel: (() => void) | undefined
}

/** The name of an authenticator app, for users with several. */
export function AppNameForm({ names, first, error, onNamed, onCancel }: AppNameFormProps) {
  const form = useForm({
    resolver: zodResolver(appName(names)),
    defaultValues: { name: first },
  })
  const { setFocus } = form
  useEffect(() => setFocus('name', { shouldSelect: true }), [setFocus])
  const submit = form.handleSubmit(({ name }) => onNamed(name))

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <TextField
        label="Nome dell'app"
        className="max-w-108"
        autoComplete="off"
        required
        hint="Per riconoscerla, per esempio «Telefono di Anna»."
        error={form.formState.errors.name?.message ?? error}
        {...form.register('name')}
      />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary">
          Continua
        </Button>
        {onCancel ? <Button onClick={onCancel}>Annulla</Button> : null}
      </div>
    </form>
  )
}
