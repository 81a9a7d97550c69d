// Takes over user settings from a file as soon as it changes, so that a hover or a pick stays open meanwhile.
const { readFileSync, watchFile } = require('node:fs');
const { ConfigurationTarget, workspace } = require('vscode');

exports.activate = () => {
  const file = process.env.HOTSPAN_PICTURE_SETTINGS;
  const update = () => {
    for (const [name, value] of Object.entries(JSON.parse(readFileSync(file, 'utf8'))))
      workspace.getConfiguration().update(name, value, ConfigurationTarget.Global);
  };
  update();
  watchFile(file, { interval: 100 }, update);
};
