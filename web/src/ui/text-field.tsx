import { type ComponentProps, type ReactNode, useId } from 'react'
import { cn } from './class-names.ts'

type TextFieldProps = ComponentProps<'input'> & {
  label: string
  error?: string | undefined
  /** Stands inside the field, at its end. */
  adornment?: ReactNode
}

export function TextField({ label, error, adornment, className, ...rest }: TextFieldProps) {
  const id = useId()
  const errorId = `${id}-error`
  return (
    <div className={cn('flex flex-col gap-1.5', className)}>
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <div className="relative">
        <input
          id={id}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? errorId : undefined}
          className={cn(
            'h-12 w-full rounded-control border bg-surface px-3 text-base transition-colors',
            'placeholder:text-muted',
            error ? 'border-danger' : 'border-control hover:border-muted',
            adornment ? 'pr-12' : null,
          )}
          {...rest}
        />
        {adornment ? (
          <div className="absolute inset-y-0 right-0.5 grid place-items-center">{adornment}</div>
        ) : null}
      </div>
      {error ? (
        <p id={errorId} role="alert" className="text-sm text-danger">
          {error}
        </p>
      ) : null}
    </div>
  )
}
