export { default as settingsStyles } from './settings.module.css';
