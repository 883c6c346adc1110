import { type ComponentProps, type ReactNode, useId } from 'react'
import { cn } from './class-names.ts'

type TextFieldProps = ComponentProps<'input'> & {
  label: string
  error?: string | undefined
  /** Says what is wanted, below the field. An error takes its place. */
  hint?: string | undefined
  /** Stands inside the field, at its end. */
  adornment?: ReactNode
}

export function TextField({ label, error, hint, adornment, className, ...rest }: TextFieldProps) {
  const id = useId()
  const noteId = `${id}-note`
  const described = [error || hint ? noteId : null, rest['aria-describedby']]
  return (
    <div className={cn('flex flex-col gap-1.5', className)}>
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <div className="relative">
        <input
          id={id}
          aria-invalid={error ? true : undefined}
          className={cn(
            'h-12 w-full rounded-control border bg-surface px-3 text-base transition-colors',
            'placeholder:text-muted',
            error ? 'border-danger' : 'border-control hover:border-muted',
            adornment ? 'pr-12' : null,
          )}
          {...rest}
          aria-describedby={described.filter(Boolean).join(' ') || undefined}
        />
        {adornment ? (
          <div className="absolute inset-y-0 right-0.5 grid place-items-center">{adornment}</div>
        ) : null}
      </div>
      {error ? (
        <p id={noteId} role="alert" className="text-sm text-danger">
          {error}
        </p>
      ) : hint ? (
        <p id={noteId} className="text-sm text-muted">
          {hint}
        </p>
      ) : null}
    </div>
  )
}
