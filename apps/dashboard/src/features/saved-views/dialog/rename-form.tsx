import { MAX_VIEW_NAME, type SavedView } from '@throughline/contract';
import { NameForm } from '../../../ui/forms/name-form.tsx';
import { useUpdateView } from '../queries.ts';

interface RenameFormProps {
  readonly view: SavedView;
  readonly onDone: () => void;
}

export function RenameForm({ view, onDone }: RenameFormProps) {
  const rename = useUpdateView(view, 'The view could not be renamed.');
  return (
    <NameForm
      name={view.name}
      maxLength={MAX_VIEW_NAME}
      takesFocus
      saving={rename}
      onSave={(name) => rename.mutate({ name }, { onSuccess: onDone })}
      onCancel={onDone}
    />
  );
}
