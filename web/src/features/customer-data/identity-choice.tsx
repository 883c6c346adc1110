import { IdentityCheck } from '@bancone/contract/customer-data'
import { type ComponentProps, useId } from 'react'

const labels: Record<IdentityCheck, string> = {
  known: 'Lo conosco di persona',
  document: 'Ha mostrato un documento',
  own_number: 'Mi ha contattato da questo numero',
}

type IdentityChoiceProps = Omit<ComponentProps<'input'>, 'type' | 'value' | 'id'> & {
  error: string | undefined
}

/** Chooses how the identity of a customer was checked. @param props `register` props */
export function IdentityChoice({ error, ...props }: IdentityChoiceProps) {
  const id = useId()
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1.5 text-sm font-medium">Come hai verificato chi è?</legend>
      {IdentityCheck.options.map((option) => (
        <label
          key={option}
          className="flex min-h-11 cursor-pointer items-start gap-3 rounded-control border border-line-strong px-3 py-2.5 hover:bg-sunken has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-(--c-focus)"
        >
          <input
            {...props}
            type="radio"
            value={option}
            aria-describedby={error ? id : undefined}
            className="mt-1 size-4 shrink-0 accent-accent outline-none"
          />
          {labels[option]}
        </label>
      ))}
      {error ? (
        <p id={id} role="alert" className="text-sm text-danger">
          {error}
        </p>
      ) : null}
    </fieldset>
  )
}
