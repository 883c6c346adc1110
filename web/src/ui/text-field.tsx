import { type ComponentProps, type ReactNode, useId } from 'react'
import { cn } from './class-names.ts'
import { controlStyle, describedBy, Field } from './field.tsx'

type TextFieldProps = ComponentProps<'input'> & {
  label: string
  error?: string | undefined
  /** Help text below the field; replaced by an error. */
  hint?: string | undefined
  /** Content inside the field, at its end. */
  adornment?: ReactNode
}

export function TextField({ label, error, hint, adornment, className, ...rest }: TextFieldProps) {
  const id = useId()
  // An address has a keyboard of its own, and no capital letters.
  const address = (['email', 'url'] as const).find((type) => type === rest.type)
  return (
    <Field id={id} label={label} error={error} hint={hint} className={className}>
      <div className="relative">
        <input
          id={id}
          aria-invalid={error ? true : undefined}
          className={cn('h-12', controlStyle(Boolean(error)), adornment ? 'pr-12' : null)}
          {...(address && { inputMode: address, autoCapitalize: 'none' })}
          {...rest}
          aria-describedby={describedBy(id, Boolean(error || hint), rest['aria-describedby'])}
        />
        {adornment ? (
          <div className="absolute inset-y-0 right-0.5 grid place-items-center">{adornment}</div>
        ) : null}
      </div>
    </Field>
  )
}
