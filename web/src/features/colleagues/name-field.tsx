import type { ComponentProps } from 'react'
import { TextField } from '../../ui/text-field.tsx'

type NameFieldProps = Omit<ComponentProps<typeof TextField>, 'label' | 'hint'>

/** The name of a colleague. @param props `register` props and the error text */
export function NameField(props: NameFieldProps) {
  return (
    <TextField
      label="Nome e cognome"
      autoComplete="off"
      autoCapitalize="words"
      required
      hint="Compare nella cronologia degli ordini e nelle note."
      {...props}
    />
  )
}
