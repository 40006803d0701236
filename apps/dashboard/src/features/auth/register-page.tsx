import { getRouteApi } from '@tanstack/react-router';
import { AccountTypeChooser } from './account-type-chooser.tsx';
import { AuthFrame } from './auth-frame.tsx';
import { SoloForm } from './solo-form.tsx';

const route = getRouteApi('/register');

/** First the kind of account, then its form. The choice lives in the URL, so that the browser's Back undoes it. */
export function RegisterPage() {
  const { type } = route.useSearch();
  const navigate = route.useNavigate();
  if (type === 'solo') {
    return (
      <AuthFrame title="Create your account">
        <SoloForm onBack={() => void navigate({ search: {} })} />
      </AuthFrame>
    );
  }
  return (
    <AuthFrame title="Choose your account">
      <AccountTypeChooser onChosen={(chosen) => void navigate({ search: { type: chosen } })} />
    </AuthFrame>
  );
}
