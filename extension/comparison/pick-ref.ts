import { type QuickPickItem, window } from 'vscode';
import { recentRefs } from '../../recorder/launch/pairs/recent-refs.ts';
import { visible } from '../../words/formats/hidden-characters.ts';

/** A branch, a tag or a commit of the repository, or any other name that git may know. Null where nothing is chosen. */
export async function pickRef(cwd: string): Promise<string | null> {
  const refs = await recentRefs(cwd);
  const rows = refs.map(({ name, kind, when, subject }): QuickPickItem => {
    return { label: name, description: [kind, when, visible(subject, 200)].join(' · ') };
  });
  const list = window.createQuickPick();
  list.items = rows;
  list.placeholder = 'Compare with which commit, branch or tag? Any name can be typed: HEAD~3';
  list.matchOnDescription = true;
  try {
    return await new Promise((resolve) => {
      list.onDidChangeValue((typed) => (list.items = withTyped(rows, typed.trim())));
      list.onDidAccept(() => resolve(list.selectedItems[0]?.label ?? null));
      list.onDidHide(() => resolve(null));
      list.show();
    });
  } finally {
    list.dispose();
  }
}

/** What is typed comes first where no name has it in it, so that Enter takes it. */
function withTyped(rows: readonly QuickPickItem[], typed: string): readonly QuickPickItem[] {
  if (typed === '' || rows.some(({ label }) => label === typed)) return rows;
  const row = { label: typed, description: 'as typed', alwaysShow: true };
  return rows.some(({ label }) => label.includes(typed)) ? [...rows, row] : [row, ...rows];
}
