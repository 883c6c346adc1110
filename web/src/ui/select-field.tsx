import { type ComponentProps, useId } from 'react'
import { describedBy, Field } from './field.tsx'
import { NativeSelect } from './native-select.tsx'

type SelectFieldProps = ComponentProps<'select'> & {
  label: string
  error?: string | undefined
  /** Help text below the field; replaced by an error. */
  hint?: string | undefined
}

/** A select as a form field, as high as the text fields. */
export function SelectField({ label, error, hint, className, ...rest }: SelectFieldProps) {
  const id = useId()
  return (
    <Field id={id} label={label} error={error} hint={hint} className={className}>
      <NativeSelect
        id={id}
        label={label}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(id, Boolean(error || hint))}
        className="[&_select]:h-12! [&_select]:border-control [&_select]:text-base [&_select]:font-normal [&_select]:aria-invalid:border-danger"
        {...rest}
      />
    </Field>
  )
}
