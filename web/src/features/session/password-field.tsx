import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'

type PasswordFieldProps = Omit<ComponentProps<typeof TextField>, 'label' | 'type' | 'adornment'>

export function PasswordField(props: PasswordFieldProps) {
  const [shown, setShown] = useState(false)
  const Icon = shown ? EyeOff : Eye
  return (
    <TextField
      label="Password"
      type={shown ? 'text' : 'password'}
      autoComplete="current-password"
      autoCapitalize="none"
      spellCheck={false}
      required
      adornment={
        <Button
          look="quiet"
          size="square"
          className="md:size-11"
          aria-label={shown ? 'Nascondi la password' : 'Mostra la password'}
          onClick={() => setShown(!shown)}
        >
          <Icon aria-hidden />
        </Button>
      }
      {...props}
    />
  )
}
